"""From a mismatch to the smallest question that shows the same disagreement, with the engine's help."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from tokparity.case import AnyCase, Case
from tokparity.finding import Mismatch
from tokparity.questions import Encode, Question
from tokparity.questions.shell import repeated
from tokparity.questions.shrink import MOST
from tokparity.session.judge import REFERENCE, Judge
from tokparity.session.panel import Panel

_OF_THE_MACHINE = ("crash", "memory")
"""Failures that come when stack or memory are at an end."""


class _TimeIsUp(Exception):
    """Ends the shrinking at once, wherever it is: whoever raises it has the best so far."""


def shrunk(
    mismatch: Mismatch,
    panel: Panel,
    judge: Judge,
    stop: Callable[[], bool],
    alike: Callable[[Mismatch], bool] = lambda mismatch: True,
    most: int = MOST,
) -> Mismatch:
    """The smallest mismatch that was found of the same engine, oracle and kind that is `alike`.

    It is the smallest so far where `stop` says that it is time, or after `most` attempts.
    """
    wanted = mismatch.kind, mismatch.oracle
    # The reference takes its time, so it is asked only where it is the judge.
    others = () if mismatch.oracle == judge.oracle else (REFERENCE,)
    only = tuple(dict.fromkeys((mismatch.engine, judge.oracle, *others)))
    origin = mismatch.case.origin.smaller()
    best = mismatch
    one_by_one = mismatch.difference.failure == "slow"  # each that is slow as well takes its time

    def same(cases: Sequence[AnyCase]) -> dict[object, Mismatch]:
        """The mismatches of the same kind that these cases show, by question."""
        found: dict[object, Mismatch] = {}
        for batch in panel.results([cases], stop, only):
            for seen in judge.mismatches(batch, [mismatch.engine]):
                if (seen.kind, seen.oracle) == wanted and alike(seen):
                    found[seen.case.question] = seen
        return found

    def check(questions: Sequence[Question]) -> list[bool]:
        nonlocal best
        if stop():
            raise _TimeIsUp
        asked = [[question] for question in questions] if one_by_one else [questions]
        answers: list[bool] = []
        for together in asked:
            found = same([Case(question, origin) for question in together])
            for seen in found.values():
                if seen.case.question.order < best.case.question.order:
                    best = seen
            answers += [question in found for question in together]
            if any(answers):
                break
        return answers

    try:
        question = mismatch.case.question.shrunk(check, most)
    except _TimeIsUp:
        return best
    question = _off_the_edge(question) if mismatch.difference.failure in _OF_THE_MACHINE else question
    if question == best.case.question or question == mismatch.case.question:
        return best if question == best.case.question else mismatch
    return same([Case(question, origin)]).get(question, best)


def _off_the_edge(question: Question) -> Question:
    """A long run a fiftieth longer: where stack or memory end is not quite the same in every process."""
    unit, times, _ = repeated(question.shown)
    if not isinstance(question, Encode) or not times:
        return question
    return replace(question, text=(unit * (times + times // 50)).encode("utf-8", "surrogateescape"))


def is_small(mismatch: Mismatch) -> bool:
    """Whether a mismatch need not be made smaller: it was, or its text was chosen to show something known."""
    origin = mismatch.case.origin
    return origin.shrunk or origin.source in ("known", "accepted")
