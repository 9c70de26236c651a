"""The evidence about a deviant engine: all known answers. It is immutable; more answers make new evidence."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from typing import Literal

from tokparity.case import AnyCase
from tokparity.diagnose.tokens import NONE, Tokens
from tokparity.finding import Control, Mismatch
from tokparity.outcome import Decoding, Encoding, Failure, Outcome
from tokparity.questions import Decode, Encode, Question

Aspect = Literal["ids", "decode", "failure"]
"""What is compared: the ids of texts, what ids decode to, or of which questions the engine dies."""

DIES = Failure("crash", "")
"""The answer where the aspect is failure, and the engine gave none."""

Ask = Callable[[Sequence[AnyCase]], Sequence[Outcome]]
"""Puts more cases to the deviant engine."""


@dataclass(frozen=True)
class Observation:
    """What an engine did on one question: the answer that was `expected` of it, and its `actual` one.

    Where one aspect is looked at, both say no more than that. `kind` is that of the mismatch; `index` is its place
    among the mismatches. A control and a text that the diagnosis asked for have no place. `beside` is how the engine
    decoded wrong ids. No run judges it. So it is explained if that is possible, and otherwise rules out nothing.
    """

    case: AnyCase
    expected: Outcome
    actual: Outcome
    kind: str = ""
    index: int | None = None
    beside: bool = False
    asked: bool = False
    tokens: Tokens = field(default=NONE, compare=False, repr=False)
    """The special tokens, each of which is one character of `text`."""

    @property
    def question(self) -> Question:
        """What was asked."""
        return self.case.question

    @cached_property
    def wrong(self) -> bool:
        """Whether the engine was wrong."""
        return self.expected != self.actual

    @property
    def failed(self) -> bool:
        """Whether the engine gave no answer at all."""
        return isinstance(self.actual, Failure)

    @property
    def shrunk(self) -> bool:
        """Whether the mismatch was shrunk from another one, and so does not count as a further one."""
        return self.case.origin.shrunk

    @cached_property
    def text(self) -> str:
        """The text to encode, with one character for each special token; of a row of ids, its decoded text."""
        return self.tokens.folded(self.spelled) if isinstance(self.question, Encode) else self.spelled

    @cached_property
    def spelled(self) -> str:
        """The same with special tokens as they are spelled; a byte that is not UTF-8 is a lone surrogate."""
        shown = self.question.text if isinstance(self.question, Encode) else getattr(self.expected, "decoded", b"")
        return (shown or b"").decode("utf-8", "surrogateescape")

    @cached_property
    def ids(self) -> tuple[int, ...]:
        """The ids that were expected, or that were to be decoded."""
        if isinstance(self.question, Decode):
            return self.question.ids
        return self.expected.ids if isinstance(self.expected, Encoding) else ()

    @cached_property
    def texts(self) -> tuple[str, str]:
        """What the right ids and those that came decode to: by the engine, or by the model where it does not."""
        decoded = [getattr(one, "decoded", None) for one in (self.expected, self.actual)]
        if None in decoded:
            decoded = [self.tokens.decode(getattr(one, "ids", ())) for one in (self.expected, self.actual)]
        right, came = ((text or b"").decode("utf-8", "surrogateescape") for text in decoded)
        return right, came

    @property
    def size(self) -> tuple[bool, int, str]:
        """Texts before rows of ids, the short ones first."""
        return isinstance(self.question, Decode), len(self.text), self.text


def of_mismatch(mismatch: Mismatch) -> Observation:
    """A mismatch, in all aspects."""
    return Observation(mismatch.case, mismatch.expected, mismatch.actual, mismatch.kind)


def of_control(control: Control) -> Observation:
    """A case on which the engine was right."""
    return Observation(control.case, control.outcome, control.outcome)


@dataclass(frozen=True)
class Evidence:
    """All observations of an engine.

    `given` are the mismatches and then the controls of the run; `asked` are the texts that the diagnosis ran since.
    """

    given: tuple[Observation, ...]
    asked: tuple[Observation, ...] = ()

    @property
    def observations(self) -> tuple[Observation, ...]:
        """All observations, in the order in which they were made."""
        return (*self.given, *self.asked)

    @property
    def members(self) -> list[Observation]:
        """The mismatches that are to be explained."""
        return [observation for observation in self.given if observation.index is not None]

    def plus(self, asked: Iterable[Observation]) -> Evidence:
        """This evidence and more answers of the engine."""
        return replace(self, asked=(*self.asked, *asked))

    def shortest(self, most_bytes: int) -> list[Observation]:
        """The observations with the shortest texts, which have at most `most_bytes` bytes together."""
        taken = []
        for observation in sorted(self.observations, key=size):
            most_bytes -= observation.case.question.size
            if most_bytes < 0:
                break
            taken.append(observation)
        return taken


def evidence_of(aspect: Aspect, mismatches: Sequence[Mismatch], controls: Sequence[Control]) -> Evidence:
    """The mismatches and controls as observations of one aspect: ids, decoding, or failures."""
    wrong = (_in(aspect, index, mismatch) for index, mismatch in enumerate(mismatches))
    right = (_right(aspect, control) for control in controls)
    return Evidence(tuple(found for found in chain(wrong, right) if found is not None))


def _in(aspect: Aspect, index: int, mismatch: Mismatch) -> Observation | None:
    """What a mismatch says about one aspect, in which the engine may have been right; None where it says nothing."""
    case, expected, actual = mismatch.case, mismatch.expected, mismatch.actual
    found = Observation(case, expected, actual, mismatch.kind, index)
    if aspect == "failure":
        # Where the engine died, the ids are those that it would have decoded had it been right.
        died = isinstance(actual, Failure)
        lives = Encoding(_row(case, expected if died else actual))
        return replace(found, expected=lives, actual=DIES) if died else Observation(case, lives, lives)
    if aspect == "decode" and isinstance(expected, Decoding) and isinstance(actual, Decoding):
        return replace(found, expected=Decoding(expected.decoded), actual=Decoding(actual.decoded))
    if not isinstance(expected, Encoding) or not isinstance(actual, Encoding):
        return None
    if aspect == "ids":
        found = replace(found, expected=Encoding(expected.ids), actual=Encoding(actual.ids))
        return found if found.wrong else Observation(case, found.expected, found.actual)
    if expected.ids != actual.ids or expected.decoded is None or actual.decoded is None:
        return None
    ids = actual.ids
    return replace(found, expected=Encoding(ids, expected.decoded), actual=Encoding(ids, actual.decoded))


def _right(aspect: Aspect, control: Control) -> Observation | None:
    """A control as an observation of one aspect; None where it says nothing about it."""
    case, outcome = control.case, control.outcome
    given: Outcome = Encoding(_row(case, outcome))
    if aspect == "ids":
        return Observation(case, given, given) if isinstance(outcome, Encoding) else None
    if aspect == "decode":
        if outcome.decoded is None:
            return None
        given = Encoding(outcome.ids, outcome.decoded) if isinstance(outcome, Encoding) else Decoding(outcome.decoded)
    return Observation(case, given, given)


def _row(case: AnyCase, outcome: Outcome) -> tuple[int, ...]:
    """The ids that are decoded: those of the question, or those that were given for its text."""
    if isinstance(case.question, Decode):
        return case.question.ids
    return outcome.ids if isinstance(outcome, Encoding) else ()


def size(observation: Observation) -> tuple[int, bytes]:
    """Orders observations by the length of their text."""
    return observation.case.question.size, observation.case.question.shown


def indices(observations: Iterable[Observation]) -> tuple[int, ...]:
    """The places of the mismatches among these."""
    return tuple(sorted(o.index for o in observations if o.index is not None))


def same(one: Outcome, other: Outcome) -> bool:
    """Whether two answers to one question are the same; of failures the kind is, for messages hold addresses."""
    if type(one) is not type(other):
        return False
    if isinstance(one, Encoding) and isinstance(other, Encoding) and one.ids != other.ids:
        return False
    if isinstance(one, Failure) or isinstance(other, Failure):
        return isinstance(one, Failure) and isinstance(other, Failure) and one.kind == other.kind
    return None in (one.decoded, other.decoded) or one.decoded == other.decoded
