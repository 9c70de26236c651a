"""Runs more cases on one engine and on its judge, and says of each whether the engine is right."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tokparity.case import AnyCase
from tokparity.diagnose import Observation, of_mismatch
from tokparity.outcome import Failure
from tokparity.session.judge import Batch, Judge
from tokparity.session.panel import Panel


@dataclass(frozen=True)
class Putting:
    """Puts cases of whatever kind to an engine, its oracle and the reference."""

    panel: Panel
    judge: Judge
    engine: str
    stop: Callable[[], bool]

    def __call__(self, cases: Sequence[AnyCase]) -> list[Observation | None]:
        """What the engine did on each; None where nobody could say what is right, or time was up."""
        found = self._put(cases, (self.engine, self.judge.oracle))
        left = [i for i, one in enumerate(found) if one is None]
        if left and self.judge.second != self.judge.oracle and not self.stop():
            # What the oracle cannot be asked another judges, who takes its time, so it is asked nothing else.
            again = self._put([cases[i] for i in left], (self.engine, self.judge.oracle, self.judge.second))
            for i, one in zip(left, again, strict=True):
                found[i] = one
        return found

    def _put(self, cases: Sequence[AnyCase], only: tuple[str, ...]) -> list[Observation | None]:
        found: list[Observation | None] = [None] * len(cases)
        alike: dict[tuple[object, ...], list[int]] = {}
        for index, case in enumerate(cases):
            alike.setdefault(case.question.alike, []).append(index)
        for places in alike.values():
            for batch in self.panel.results([[cases[i] for i in places]], self.stop, only):
                for place, seen in zip(places, self._judged(batch), strict=True):
                    found[place] = seen
        return found

    def _judged(self, batch: Batch) -> list[Observation | None]:
        found: list[Observation | None] = []
        wrong = {one.case: of_mismatch(one) for one in self.judge.mismatches(batch, [self.engine])}
        results = batch.results.get(self.engine)
        for index, case in enumerate(batch.cases):
            expected = self.judge.expected(batch, index)
            actual = None if results is None else results.outcome(index)
            if case in wrong:
                found.append(wrong[case])
            elif expected is None or actual is None or isinstance(actual, Failure):
                found.append(None)
            else:
                found.append(Observation(case, expected, expected))
        return found
