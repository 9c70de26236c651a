"""The search for disagreements on one model: texts are planned by what the ones before brought."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, ClassVar

from tokparity.case import AnyCase, texts_of
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
"""One case in this many is a row of ids to be decoded."""


@dataclass
class _UnderWay:
    """A plan (None: rows of ids) that is running: the number of its judged cases.

    It also holds the places of cases that reached something new or showed a new kind.
    """

    plan: Plan | None
    of: int
    done: int = 0
    fresh: list[int] = field(default_factory=list)
    kinds: list[int] = field(default_factory=list)


class Steered:
    """Texts for one model, and where `rows` is given rows of ids between them, or rows alone.

    `cases` counts the texts that were judged, or the rows where there are no texts. `coverage` grows, and `kinds` are
    the kinds of mismatches that were met.
    """

    is_whole: ClassVar[bool] = False

    def __init__(
        self,
        subject: Subject,
        oracle: str,
        steering: Steering,
        rows: Rows | None = None,
        most: int | None = None,
        puts_texts: bool = True,
    ) -> None:
        self.coverage = Coverage(subject)
        self.steering = steering
        self.rows = rows
        self.cases = 0
        self.kinds: set[tuple[str, str]] = set()
        self._oracle = oracle
        self._most = most
        self._puts_texts = puts_texts or rows is None
        self._under_way: deque[_UnderWay] = deque()

    @property
    def count(self) -> int | None:
        """How many texts are still to be put; None where only time ends it."""
        return self._most

    def batches(self) -> Iterator[Sequence[AnyCase]]:
        """Batch after batch, planned when it is asked for."""
        most = None if self._most is None else self.cases + self._most
        planned = self.cases
        self._under_way.clear()
        while not self._puts_texts and self.rows is not None and (most is None or planned < most):
            planned += BLOCK
            self._under_way.append(_UnderWay(None, BLOCK))
            yield self.rows.next(BLOCK)
        while most is None or planned < most:
            plan = self.steering.plan()
            if most is not None and planned + len(plan.cases) > most:
                plan = replace(plan, cases=plan.cases[: most - planned])
            planned += len(plan.cases)
            self._under_way.append(_UnderWay(plan, len(plan.cases)))
            yield plan.cases
            # In the end all rows that are due are put, however few.
            yield from self._rows(planned, BLOCK if planned == most else len(plan.cases))

    def _rows(self, planned: int, least: int) -> Iterator[Sequence[AnyCase]]:
        due = 0 if self.rows is None else planned // _ROWS_EVERY - self.rows.made
        if self.rows is not None and due >= least:
            made = self.rows.next(due)
            self._under_way.append(_UnderWay(None, len(made)))
            yield made

    def learn(self, batch: Batch, sightings: Sequence[Sighting]) -> None:
        """Tell coverage and steering what the batch brought; it may be a part of what was planned at once."""
        part = self._under_way[0]
        if part.plan is not None:
            self._learn_texts(part, batch, sightings)
        elif not self._puts_texts:
            self.cases += len(batch.cases)
        part.done += len(batch.cases)
        if part.done >= part.of:
            self._under_way.popleft()
            if part.plan is not None:
                self.steering.learn(part.plan, part.fresh, dict.fromkeys(part.kinds))

    def _learn_texts(self, part: _UnderWay, batch: Batch, sightings: Sequence[Sighting]) -> None:
        self.cases += len(batch.cases)
        for seen in sightings:
            key = seen.engine, seen.kind
            if key not in self.kinds:
                self.kinds.add(key)
                part.kinds.append(part.done + seen.place)
        answer = self._answer(batch)
        if answer is not None and answer.ids is not None:
            fresh = self.coverage.add(texts_of(batch.cases), answer.ids).tolist()
            part.fresh += [part.done + place for place in fresh]

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
