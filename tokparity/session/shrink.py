"""Shrinks a mismatch to the smallest question that shows the same difference, by running the engine."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from tokparity.case import Case
from tokparity.finding import Mismatch
from tokparity.outcome import error_of
from tokparity.questions import Encode, Question
from tokparity.questions.shell import repeated
from tokparity.questions.shrink import MOST
from tokparity.session.judge import REFERENCE, Judge
from tokparity.session.panel import Panel

_OF_THE_MACHINE = ("crash", "memory")
"""Failures that come when stack or memory are at an end."""


class _TimeIsUp(Exception):
    """Ends the shrinking at once, wherever it is: whoever raises it has the best so far."""


class _Shrinking:
    """Puts smaller questions, and keeps the smallest mismatch that is like the first."""

    def __init__(
        self,
        mismatch: Mismatch,
        panel: Panel,
        judge: Judge,
        stop: Callable[[], bool],
        alike: Callable[[Mismatch], bool],
    ) -> None:
        self.best = mismatch
        self._panel, self._judge, self._stop, self._alike = panel, judge, stop, alike
        self._engine, self._wanted = mismatch.engine, _sort(mismatch)
        # The reference takes its time, so it is asked only where it is the judge.
        others = () if mismatch.oracle == judge.oracle else (REFERENCE,)
        self._only = tuple(dict.fromkeys((mismatch.engine, judge.oracle, *others)))
        self._origin = mismatch.case.origin.smaller()
        self._one_by_one = mismatch.difference.failure == "slow"  # each that is slow as well takes its time

    def alike(self, questions: Sequence[Question]) -> dict[Question, Mismatch]:
        """The mismatches like the first that these questions show, by question."""
        cases = [Case(question, self._origin) for question in questions]
        return {
            seen.case.question: seen
            for batch in self._panel.results([cases], self._stop, self._only)
            for seen in self._judge.mismatches(batch, [self._engine])
            if _sort(seen) == self._wanted and self._alike(seen)
        }

    def check(self, questions: Sequence[Question]) -> list[bool]:
        """Which of them show it; slow ones only up to the first that does. _TimeIsUp where it is time."""
        if self._stop():
            raise _TimeIsUp
        answers: list[bool] = []
        for together in [[question] for question in questions] if self._one_by_one else [questions]:
            found = self.alike(together)
            self.best = min((self.best, *found.values()), key=lambda seen: seen.case.question.order)
            answers += [question in found for question in together]
            if any(answers):
                break
        return answers


def _sort(mismatch: Mismatch) -> tuple[str, str, str]:
    """What a smaller mismatch must have in common with the first: what happened, by whose word, which error it was."""
    return mismatch.kind, mismatch.oracle, error_of(mismatch.actual)


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
    search = _Shrinking(mismatch, panel, judge, stop, alike)
    try:
        question = mismatch.case.question.shrunk(search.check, most)
    except _TimeIsUp:
        return search.best
    question = _off_the_edge(question) if mismatch.difference.failure in _OF_THE_MACHINE else question
    if question in (search.best.case.question, mismatch.case.question):
        return search.best if question == search.best.case.question else mismatch
    return search.alike([question]).get(question, search.best)


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
