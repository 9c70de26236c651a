"""The search for disagreements on one model: texts are planned, put to engines, judged, grouped, and shrunk."""

from __future__ import annotations

import gc
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol

from tokparity.diff import kind
from tokparity.finding import Mismatch
from tokparity.fuzz.coverage import Coverage
from tokparity.fuzz.steering import Plan, Steering
from tokparity.outcome import Case
from tokparity.questions.shrink import shrink_text
from tokparity.session.judge import REFERENCE, Batch, Judge, Sighting

if TYPE_CHECKING:
    from tokparity.engines.results import Results
    from tokparity.generators.subject import Subject

SHRUNK = "shrunk from "
"""How the origin of a shrunk text begins."""

_BETWEEN_COLLECTIONS = 100_000  # objects made

_FLAGS = ((False, False), (True, False), (False, True), (True, True))
"""(add_special, parse_special), the plainest first."""


def collect_rarely() -> None:
    """Have the interpreter look for cycles a hundred times less often: what a batch is made of is in none.

    For a search on one model. Tokenizers are in cycles, so a run of many would keep them for too long.
    """
    gc.set_threshold(_BETWEEN_COLLECTIONS)


class Panel(Protocol):
    """Engines that can be asked batches: `EngineSet`, or tokenizers in this very process."""

    def results(
        self, batches: Iterable[Sequence[Case]], stop: Callable[[], bool], only: Collection[str] = ()
    ) -> Iterator[Batch]:
        """Each batch with the results of every engine (or of `only` these), in order."""


class Search:
    """One model before a panel. `judge.tallies` counts, `coverage` grows, `kinds` are the kinds of mismatches met."""

    def __init__(self, subject: Subject, judge: Judge, shown: Sequence[str], steering: Steering) -> None:
        self.judge = judge
        self.coverage = Coverage(subject)
        self.steering = steering
        self.cases = 0
        self.kinds: set[tuple[str, str]] = set()
        self._shown = shown
        self._under_way: deque[Plan] = deque()

    def restore(self, steering: Mapping[str, Any], coverage: Mapping[str, Any], known: Iterable[Mismatch]) -> None:
        """Go on from the states of an earlier search and what it found."""
        self.steering.restore(steering)
        self.coverage.restore(coverage)
        self.kinds.update((mismatch.engine, kind(mismatch)) for mismatch in known)

    def mismatches(
        self, panel: Panel, stop: Callable[[], bool], cases: int | None = None
    ) -> Iterator[tuple[Batch, list[Sighting]]]:
        """Batch after batch with its mismatches, until told to stop or until about so many cases were judged.

        `judge.mismatch` writes out those that are looked at.
        """
        for batch in panel.results(self._batches(cases), stop):
            plan = self._under_way.popleft()
            found = list(self.judge.sightings(batch, self._shown))
            self.cases += len(batch.cases)
            self._learn(plan, batch, found)
            yield batch, found

    def _batches(self, cases: int | None) -> Iterator[Sequence[Case]]:
        planned = self.cases
        self._under_way.clear()
        while cases is None or planned < cases:
            plan = self.steering.plan()
            if cases is not None and planned + len(plan.cases) > cases:
                plan = replace(plan, cases=plan.cases[: cases - planned])
            planned += len(plan.cases)
            self._under_way.append(plan)
            yield plan.cases

    def _learn(self, plan: Plan, batch: Batch, found: Sequence[Sighting]) -> None:
        """Tell coverage and steering what the batch brought."""
        new_kinds = []
        for seen in found:
            key = seen.engine, seen.kind
            if key not in self.kinds:
                self.kinds.add(key)
                new_kinds.append(seen.place)
        answer = self._answer(batch)
        fresh = []
        if answer is not None and answer.ids is not None:
            fresh = self.coverage.add([case.text for case in plan.cases], answer.ids).tolist()
        self.steering.learn(plan, fresh, dict.fromkeys(new_kinds))

    def _answer(self, batch: Batch) -> Results | None:
        """Whose ids say what was reached: the oracle's, or the reference's where the oracle could not be asked."""
        for engine in (self.judge.oracle, REFERENCE):
            results = batch.results.get(engine)
            if results is not None and len(results.failures) < len(batch.cases):
                return results
        return None


def shrunk(
    mismatch: Mismatch,
    panel: Panel,
    judge: Judge,
    stop: Callable[[], bool],
    alike: Callable[[Mismatch], bool] = lambda mismatch: True,
) -> Mismatch:
    """A smallest mismatch of the same engines and kind that is `alike`; the tallies of `judge` are left as they are."""
    asking = Judge(judge.model, judge.oracle, judge.pieces)
    wanted = kind(mismatch), mismatch.oracle
    only = dict.fromkeys((mismatch.engine, judge.oracle, REFERENCE))
    best = mismatch

    def same(cases: Sequence[Case]) -> list[Mismatch | None]:
        """For each case the mismatch that it shows, if it is of the same kind."""
        found: dict[Case, Mismatch] = {}
        for batch in panel.results([cases], stop, tuple(only)):
            for seen in asking.judge(batch, [mismatch.engine]):
                if (kind(seen), seen.oracle) == wanted and alike(seen):
                    found[seen.case] = seen
        return [found.get(case) for case in cases]

    def check(texts: Sequence[bytes]) -> list[bool]:
        nonlocal best
        seen = same([replace(case, text=text) for text in texts])
        return [each is not None for each in seen]

    origin = SHRUNK + mismatch.case.origin
    for add_special, parse_special in _FLAGS:
        case = Case(mismatch.case.text, add_special, parse_special, origin)
        (found,) = same([case])
        if found is not None:
            best = found
            break
    case = best.case
    text = shrink_text(case.text, check)
    (found,) = same([replace(case, text=text)])
    return best if found is None else found
