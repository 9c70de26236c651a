"""Which faults the answers of an engine show: the failing cases by the fault whose wrong answer they are.

The runners in runners/ do the same; whoever changes it here changes it there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tokparity.vectors.model import Answer, Group, Vector, Vectors
from tokparity.vectors.spelling import matches


@dataclass(frozen=True)
class Failed:
    """A case on which the engine is wrong, with its answer and the faults whose answer that is."""

    case: Vector
    answer: Answer
    faults: tuple[str, ...]


@dataclass(frozen=True)
class Named:
    """A fault, and how many of the failing cases have its answer and belong to no fault that was named before."""

    fault: str
    cases: int


@dataclass(frozen=True)
class Outcome:
    """An engine's results on the cases that it ran."""

    asked: int
    failed: tuple[Failed, ...]
    named: tuple[Named, ...]

    @property
    def left(self) -> int:
        """Failing cases that belong to no named fault."""
        return len(self.failed) - sum(one.cases for one in self.named)


def judge(vectors: Vectors | Group, answers: Mapping[str, Answer]) -> Outcome:
    """The outcome of an engine's answers by the ids of the cases; cases without one were not asked."""
    asked = [case for case in vectors.cases if case.id in answers]
    failed = tuple(_failures(asked, answers))
    return Outcome(len(asked), failed, tuple(_named(vectors, asked, failed)))


def is_right(case: Vector, answer: Answer) -> bool:
    """Whether an answer is the right one, or acceptable."""
    return matches(answer, case.answer) or any(answer == one.answer for one in case.acceptable)


def showing(case: Vector, answer: Answer) -> tuple[str, ...]:
    """The faults whose wrong answer this is."""
    return tuple(name for one in case.wrong if matches(answer, one.answer) for name in one.faults)


def sentences(vectors: Vectors | Group, outcome: Outcome) -> Iterator[str]:
    """A sentence for each named fault, and for what is left; none where encoding and decoding are to blame."""
    for one in outcome.named:
        fault = vectors.faults[one.fault]
        names = ", ".join(f"`{name}`" for name in (one.fault, *fault.alike))
        cause = f"one known cause, an engine that {fault.does}: {names}"
        yield f"{one.cases} of {len(outcome.failed)} failures have {cause}"
    if outcome.left and vectors.faults:
        yield f"{outcome.left} of {len(outcome.failed)} failures have no known cause, or more than one"


def _failures(asked: Sequence[Vector], answers: Mapping[str, Answer]) -> Iterator[Failed]:
    for case in asked:
        answer = answers[case.id]
        if not is_right(case, answer):
            yield Failed(case, answer, showing(case, answer))


def _named(vectors: Vectors | Group, asked: Sequence[Vector], failed: Sequence[Failed]) -> Iterator[Named]:
    """The fault that gives the most failures, times the share of its cases that the engine answers as it would.

    Then the same among the failures that are left, until a fault explains none.
    """
    shown = dict.fromkeys(vectors.faults, 0)
    for name in (name for case in asked for one in case.wrong for name in one.faults):
        shown[name] += 1
    given = dict.fromkeys(vectors.faults, 0)
    for name in (name for case in failed for name in case.faults):
        given[name] += 1
    left = list(failed)
    while left:
        hits = {name: sum(name in case.faults for case in left) for name in vectors.faults}
        found = sorted(name for name, times in hits.items() if times)
        if not found:
            return
        best = max(found, key=lambda name: hits[name] * given[name] / shown[name])
        yield Named(best, hits[best])
        left = [case for case in left if best not in case.faults]
