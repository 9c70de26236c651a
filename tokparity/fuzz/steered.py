"""The search for disagreements on one model: texts are planned by what the ones before brought."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from tokparity.case import AnyCase, TextCase
from tokparity.finding import Mismatch
from tokparity.fuzz.coverage import Coverage
from tokparity.fuzz.rows import Rows
from tokparity.fuzz.state import Search
from tokparity.fuzz.steering import Plan, Steering
from tokparity.generators import BLOCK
from tokparity.generators.subject import Subject
from tokparity.session.judge import REFERENCE, Batch, Sighting

if TYPE_CHECKING:
    from tokparity.engines.results import Results

_ROWS_EVERY = 8
"""One case in so many is a row of ids to be decoded."""


class Steered:
    """Texts for one model, and where `rows` is given rows of ids between them.

    `cases` counts the texts that were judged, `coverage` grows, `kinds` are the kinds of mismatches that were met.
    """

    is_whole: ClassVar[bool] = False

    def __init__(
        self, subject: Subject, oracle: str, steering: Steering, rows: Rows | None = None, most: int | None = None
    ) -> None:
        self.coverage = Coverage(subject)
        self.steering = steering
        self.rows = rows
        self.cases = 0
        self.kinds: set[tuple[str, str]] = set()
        self._oracle = oracle
        self._most = most
        self._under_way: deque[Plan | None] = deque()

    @property
    def count(self) -> int | None:
        """How many texts are still to be put; None where only time ends it."""
        return self._most

    def batches(self) -> Iterator[Sequence[AnyCase]]:
        """Batch after batch, planned when it is asked for."""
        most = None if self._most is None else self.cases + self._most
        planned = self.cases
        self._under_way.clear()
        while most is None or planned < most:
            plan = self.steering.plan()
            if most is not None and planned + len(plan.cases) > most:
                plan = replace(plan, cases=plan.cases[: most - planned])
            planned += len(plan.cases)
            self._under_way.append(plan)
            yield plan.cases
            # In the end all rows that are due are put, however few.
            yield from self._rows(planned, BLOCK if planned == most else len(plan.cases))

    def _rows(self, planned: int, least: int) -> Iterator[Sequence[AnyCase]]:
        due = 0 if self.rows is None else planned // _ROWS_EVERY - self.rows.made
        if self.rows is not None and due >= least:
            self._under_way.append(None)
            yield self.rows.next(due)

    def learn(self, batch: Batch, sightings: Sequence[Sighting]) -> None:
        """Tell coverage and steering what the batch brought."""
        plan = self._under_way.popleft()
        if plan is None:
            return
        self.cases += len(batch.cases)
        new_kinds = []
        for seen in sightings:
            key = seen.engine, seen.kind
            if key not in self.kinds:
                self.kinds.add(key)
                new_kinds.append(seen.place)
        answer = self._answer(batch)
        fresh: list[int] = []
        if answer is not None and answer.ids is not None:
            fresh = self.coverage.add(_texts(plan.cases), answer.ids).tolist()
        self.steering.learn(plan, fresh, dict.fromkeys(new_kinds))

    def notes(self) -> Mapping[str, str]:
        """How much of the model was reached."""
        shares = self.coverage.shares().items()
        return {name: f"{100 * share.reached // max(share.of, 1)} %" for name, share in shares}

    def state(self) -> Search:
        """All that is needed to go on later."""
        made = 0 if self.rows is None else self.rows.made
        return Search(self.cases, made, self.steering.state(), self.coverage.state())

    def restore(self, state: Search, known: Iterable[Mismatch]) -> None:
        """Go on from the state of an earlier search and what it found."""
        self.cases = state.cases
        if self.rows is not None:
            self.rows.made = state.rows
        self.steering.restore(state.steering)
        self.coverage.restore(state.coverage)
        self.kinds.update((mismatch.engine, mismatch.kind) for mismatch in known)

    def _answer(self, batch: Batch) -> Results | None:
        """Whose ids say what was reached: the oracle's, or the reference's where the oracle could not be asked."""
        for engine in (self._oracle, REFERENCE):
            results = batch.results.get(engine)
            if results is not None and len(results.failures) < len(batch.cases):
                return results
        return None


def _texts(cases: Sequence[TextCase]) -> list[bytes]:
    return [case.question.text for case in cases]
