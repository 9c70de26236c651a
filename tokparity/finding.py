"""Mismatches, and what they mean (findings)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from tokparity.case import AnyCase
from tokparity.difference import Difference, kind_of
from tokparity.outcome import Answer, Outcome
from tokparity.questions import Question
from tokparity.trait import Trait

Status = Literal["verified", "reproduced", "ambiguous", "in part", "unexplained"]
"""What is known of a cause.

verified: it predicts all wrong answers and those to new texts made to refute it. reproduced: it predicts all, and the
engine could not run on new texts. ambiguous: others do too. in part: something is left. unexplained: nothing does.
"""


Unrepeatable = Literal["", "state", "request", "chance", "unknown"]
"""What changes the answer to a question in a new process: earlier questions, other texts of the request, chance, or
what nobody knows. Empty where it is the same."""


@dataclass(frozen=True)
class Mismatch:
    """One case on which an engine and the model's oracle disagree, and where they first do.

    Where the engine keeps state, it gives this answer if it was asked `after` before, in the same process. Where its
    answer depends on the request, it gives this one if `beside` stands before the question in the same request.
    """

    case: AnyCase
    model: str
    engine: str
    oracle: str
    expected: Outcome
    actual: Outcome
    difference: Difference
    expected_pieces: tuple[bytes, ...] = ()
    actual_pieces: tuple[bytes, ...] = ()
    after: tuple[Question, ...] = field(default=(), kw_only=True)
    beside: tuple[Question, ...] = field(default=(), kw_only=True)

    @property
    def kind(self) -> str:
        """What happened at the first difference: "space-became-letter", "mark-became-nothing", "failure-crash-6"."""
        return kind_of(self.case, self.difference, self.actual, self.expected_pieces, self.actual_pieces)

    @property
    def stored_bytes(self) -> int:
        """About how many bytes it takes in a report."""
        return 1000 + self.case.question.size + sum(8 + len(one) for one in self.expected_pieces + self.actual_pieces)


@dataclass(frozen=True)
class Control:
    """A case on which an engine was right: what explains its mismatches must not change it."""

    case: AnyCase
    model: str
    engine: str
    outcome: Answer


@dataclass(frozen=True)
class RuledOut:
    """A refuted explanation: it gives `explains` of the `tried` mismatches, and fails on a question."""

    quirks: tuple[str, ...]
    explains: int
    tried: int
    question: Question


@dataclass(frozen=True)
class Vote:
    """The engines that gave one answer to a finding's smallest case, and how many of them are independent.

    Engines on one library, and those that opened an export of the same file, are not.
    """

    engines: tuple[str, ...]
    voices: int
    answer: Answer


@dataclass(frozen=True)
class Attacked:
    """How an explanation was attacked: `asked` texts were run on the engine, if `fresh` in a new process.

    It `changes` some of them, and some lie next to these (`edge`); on `otherwise` the engine does not as it says.
    """

    changes: int = 0
    edge: int = 0
    asked: int = 0
    otherwise: int = 0
    fresh: bool = False


@dataclass(frozen=True)
class Rest:
    """What looks like a finding's mismatches and is not explained: `mismatches`, and a shortest question of it."""

    mismatches: int
    question: Question


def only_counted(number: int, spelled: str = "") -> str:
    """What is said of mismatches of a finding's kinds that nobody looked at; `spelled` is their number in words."""
    were = "was only counted: its" if number == 1 else "were only counted: their"
    return f"{spelled or number} more of the same kind {were} cause may be this one or another"


@dataclass(frozen=True)
class Finding:
    """A group of mismatches with one cause.

    `quirks` reproduce all `mismatches` and agree on all `controls` (cases on which the engine was right); what they
    were `attacked` with makes the finding verified. `alternatives` do as well. `nearest` says how far the best failed
    explanation came. `known` is why it is expected of this engine on every model of the kind, `reason` why it was
    accepted for this one. `context` holds what the model's file says about the cause: keys and values.
    """

    name: str
    model: str
    engine: str
    oracle: str
    status: Status
    smallest: Mismatch
    mismatches: int
    controls: int = 0
    quirks: tuple[str, ...] = ()
    alternatives: tuple[tuple[str, ...], ...] = ()
    nearest: str = ""
    accepted: bool = False
    known: str = ""
    reason: str = ""
    beyond: str = ""
    """Where an accepted text is among its mismatches and it is not accepted for that: what speaks against it."""
    why_unexplained: str = ""
    undiagnosed: bool = False
    """Whether a signal or the clock came before its cause was found, so that it may be known or accepted as well."""
    verified: int = 0
    """On how many mismatches the explanation was run, those that were shrunk among them."""
    ruled_out: tuple[RuledOut, ...] = ()
    separating: Question | None = None
    """A question on which the alternatives differ, and that the engine could not be asked."""
    context: tuple[tuple[str, str], ...] = ()
    votes: tuple[Vote, ...] = ()
    """Who gives which answer to the smallest case, the most voices first; none where fewer than three answer."""
    unexamined: int = 0
    """How many more mismatches of its kinds were counted and not looked at: of this cause or of another one."""
    character: tuple[Trait, ...] = ()
    """What the mismatches have in common, where no quirk explains them."""
    wrong_keys: tuple[tuple[str, str], ...] = ()
    """Quirks that it has only because it obeys a wrong file, each with the sentence on a key that is wrong there."""
    inexpressible: str = ""
    """Where it obeys its file and no key is known to be wrong: what the file's format cannot express."""
    unrepeatable: Unrepeatable = ""
    unshrunk: str = ""
    """Why the smallest text may not be the smallest: time was up."""
    attacked: Attacked = Attacked()
    rest: Rest | None = None
    counts: bool = True
    """Whether it counts in the verdict: not where an engine is wrong with a right file, or the source does not say."""

    @property
    def standing(self) -> str:
        """One word for the reader: "known", "accepted", "undiagnosed", "predicted", or the finding's status."""
        status = "predicted" if self.is_predicted else self.status
        settled = "known" if self.known else "accepted" if self.accepted else status
        return "undiagnosed" if self.is_open else settled

    @property
    def instead(self) -> str:
        """What comes instead of the right answer in all of its mismatches, where no quirk says it; empty if unknown."""
        if not self.character or self.quirks or self.unrepeatable:
            return ""
        where, answer = self._rule
        if answer is None or not (answer.predicts or answer.holds == answer.of):
            return ""
        says = f"where {where.says}, {answer.says}" if where else answer.says
        return says[:1].upper() + says[1:]

    @property
    def is_predicted(self) -> bool:
        """Whether a rule gives all of its answers, and stood its trial; no quirk does."""
        return bool(self.instead) and self._rule[1] is not None and self._rule[1].predicts

    @property
    def _rule(self) -> tuple[Trait | None, Trait | None]:
        """Which texts fail, without exception, and what is answered then; no first one where that is of any text."""
        first, second = (*self.character, None, None)[:2]
        if first is None or first.about == "answer":
            return None, first
        return (first, second) if first.is_strict and second is not None and second.predicts else (None, None)

    @property
    def told(self) -> tuple[str, ...]:
        """What its mismatches have in common, in words; their kind, where nothing else is known of them."""
        return tuple(trait.says for trait in self.character) or (self.smallest.kind,)

    @property
    def is_of_file(self) -> bool:
        """Whether wrong keys of the engine's file cause all of the finding: then they say everything."""
        return bool(self.wrong_keys) and {*self.quirks} <= dict(self.wrong_keys).keys()

    @property
    def is_settled(self) -> bool:
        """Whether it is known of the engine or accepted for the model."""
        return bool(self.known) or self.accepted

    @property
    def is_open(self) -> bool:
        """Whether nobody can say if it is new, for a signal or the clock came before its cause was found."""
        return self.undiagnosed and not self.is_settled and self.counts

    @property
    def cases(self) -> str:
        """How many cases it is about, as far as somebody looked."""
        if not (self.mismatches or self.unexamined):
            return "0 cases: it shows only in texts that were shortened from other mismatches"
        number = f"{self.mismatches} case{'' if self.mismatches == 1 else 's'}"
        return f"at least {number}; {only_counted(self.unexamined)}" if self.unexamined else number

    @property
    def is_new(self) -> bool:
        """Whether it is neither known of the engine nor accepted for the model, and that was looked into and counts."""
        return not self.undiagnosed and not self.is_settled and self.counts
