"""Whether an answer that does not recur depends on what the engine was asked before, or on chance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from tokparity.case import AnyCase, Case
from tokparity.diagnose import Budget, Found, plainness, same
from tokparity.finding import Finding, Mismatch, Unrepeatable
from tokparity.outcome import DEADLY, Failure
from tokparity.questions import Encode, Question
from tokparity.session.asking import AskedEngine, PutAlready, can_be_asked
from tokparity.session.fewer import Gives, fewer
from tokparity.session.panel import OpenPanel
from tokparity.session.recorder import Recorder
from tokparity.session.requests import depends_on_request
from tokparity.trait import Trait

_CASES = 500_000
"""Cases that are put to new processes to find out about one finding, where each process counts as a thousand."""

_PROCESS = 1000
"""Cases that a new process counts as."""

_LOOKED_AT = 3
"""Mismatches, the smallest first, of which is looked for what was asked before them."""

_BEFORE = (50, 1000, 20_000)
"""Cases before a mismatch that are put again, as few as do."""

_TIMES = 300
"""How often one question is put to see whether the answer changes by chance."""

_NEW = 5
"""New processes, each of which is asked one question alone."""

_ATTEMPTS = 60
"""Shorter texts that are tried in place of one that was asked before."""

_NAMES: Mapping[str, str] = {
    "state": "keeps-state",
    "request": "depends-on-request",
    "chance": "answers-by-chance",
}
"""What the finding is called."""

STATE = "keeps state: put again to a new process, the engine answers otherwise than it did in the run"
CHANCE = "answers by chance: put {} times to a new process, the question has another answer {} times"
ENDS = "keeps state: a new process, as of tokparity diff, answers it; put to it {} times, the process ends {} times"


@dataclass
class Repeats:
    """Examines findings whose answers do not recur in a new process."""

    panel: OpenPanel
    recorder: Recorder
    put: PutAlready
    over: Callable[[], bool]

    def told(self, one: Found) -> Found:
        """The finding with what its answers depend on, and where that is another text, with a mismatch that has it."""
        finding = one.finding
        if not finding.unrepeatable or not can_be_asked(self.panel, finding.engine):
            return one
        budget = Budget(_CASES, interrupted=self.over)
        every = self.recorder.kept(finding.engine, one.members)
        members = sorted((m for m in every if not m.case.origin.shrunk), key=plainness)
        with AskedEngine(self.panel, finding.engine) as asking:
            for mismatch in members[:_LOOKED_AT]:
                if (ends := self._ends(mismatch, asking)) is not None:
                    return replace(one, finding=_of(finding, "state", ends, mismatch))
                if (changes := self._chance(mismatch, asking)) is not None:
                    return replace(one, finding=_of(finding, "chance", changes, mismatch))
                if (depends := depends_on_request(mismatch, members, asking, self.over)) is not None:
                    trait, other = depends
                    pieces = self.recorder.judge.spell(other.case, other.actual)
                    shown = replace(other, case=_small(other.case), actual_pieces=pieces)
                    members_now = (*one.members, self.recorder.example(shown))
                    return Found(_of(finding, "request", trait, shown), tuple(sorted(members_now)))
                if (after := self._needed(mismatch, asking, budget)) is not None:
                    shown = replace(mismatch, case=_small(mismatch.case), after=after)
                    members_now = (*one.members, self.recorder.example(shown))
                    return Found(_of(finding, "state", None, shown), tuple(sorted(members_now)))
        return one

    @staticmethod
    def _chance(mismatch: Mismatch, asking: AskedEngine) -> Trait | None:
        """How often a new process gives another answer than it mostly gives; None where it always gives the same.

        Nor is it chance if the next process gives the same answers in the same order. Then earlier questions decide,
        even if they are the same question.
        """
        answers, again = (list(map(repr, asking.anew([mismatch.case] * _TIMES))) for _ in range(2))
        rare = _TIMES - max(Counter(answers).values())
        return Trait(CHANCE.format(_TIMES, rare), "answer", 1, 1) if rare and answers != again else None

    @staticmethod
    def _ends(mismatch: Mismatch, asking: AskedEngine) -> Trait | None:
        """How often a process ends that is asked one question again and again; None where a new one ends at it too."""
        if not isinstance(mismatch.actual, Failure) or mismatch.actual.kind not in DEADLY:
            return None
        if any(isinstance(asking.anew([mismatch.case])[0], Failure) for _ in range(_NEW)):
            return None
        ends = sum(isinstance(answer, Failure) for answer in asking.anew([mismatch.case] * _TIMES))
        return Trait(ENDS.format(_TIMES, ends), "answer", 1, 1) if ends else None

    def _needed(self, mismatch: Mismatch, asking: AskedEngine, budget: Budget) -> tuple[Question, ...] | None:
        """The questions after which a new process gives the mismatch's answer, as few as were found; None if none."""
        earlier = self.put.before(mismatch.case)

        def gives(cases: Sequence[AnyCase]) -> bool:
            budget.spend(_PROCESS + len(cases))
            (answer,) = asking.after(cases, [mismatch.case])
            return same(answer, mismatch.actual)

        def stop() -> bool:
            return budget.is_done

        for most in _BEFORE:
            before = earlier[-most:]
            if stop():
                return None
            if before and gives(before):
                few = _alike(fewer(before, gives, stop), mismatch.case, gives)
                return tuple(case.question for case in (_shorter(few[0], gives, stop) if len(few) == 1 else few))
            if most >= len(earlier):
                break
        return None


def _alike(cases: Sequence[AnyCase], like: AnyCase, gives: Gives) -> Sequence[AnyCase]:
    """The cases with the flags of another one, if they do as well: then one command is plain."""
    question = like.question
    if not isinstance(question, Encode):
        return cases
    plain = [
        Case(replace(question, text=case.question.text), case.origin) if isinstance(case.question, Encode) else case
        for case in cases
    ]
    return plain if plain != list(cases) and gives(plain) else cases


def _shorter(case: AnyCase, gives: Gives, stop: Callable[[], bool]) -> list[AnyCase]:
    """The one case that was needed, as short as a few attempts make it; each takes a new process."""

    def check(questions: Sequence[Question]) -> list[bool]:
        answers: list[bool] = []
        for question in questions:
            answers.append(not stop() and gives([Case(question, case.origin)]))
            if answers[-1]:
                break
        return answers

    return [Case(case.question.fewer(check, _ATTEMPTS), case.origin)]


def _small(case: AnyCase) -> AnyCase:
    return replace(case, origin=case.origin.smaller())


def _of(finding: Finding, kind: Unrepeatable, trait: Trait | None, shown: Mismatch) -> Finding:
    """The finding, named for what its answers depend on."""
    first = finding.character[0]
    traits = (trait or replace(first, says=STATE), *finding.character[1:])
    name = f"{finding.engine}-{_NAMES[kind]}"
    return replace(finding, name=name, unrepeatable=kind, character=traits, smallest=shown)
