"""The engines of one model, open, as long as units of it are worked on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from tokparity.case import AnyCase
from tokparity.engines import engine_name
from tokparity.errors import EngineError
from tokparity.session.judge import REFERENCE, Batch, Judge
from tokparity.session.panel import EnginePanel
from tokparity.session.seats import seat

if TYPE_CHECKING:
    from tokparity.engines.results import Results
    from tokparity.models import Model

_KILLED = 9


class LostError(EngineError):
    """An engine that had opened its model and was lost before it had answered all of a unit."""


class Opened:
    """A panel of the engines that run all texts, and the reference for what only it can judge.

    `memory` is what a batch may need on top of the open model.
    """

    def __init__(self, model: Model, engines: Sequence[str], timeout: float, memory: int) -> None:
        self.seating = seat(model, engines)
        self.judge = Judge(model.name, model.oracle, self.seating.source.vocabulary.pieces)
        # One child each: there is a Dask worker for each core.
        self._open = partial(EnginePanel, timeout=timeout, lanes=1, memory=memory)
        self.asked = asked(model, engines, self.seating.shown)
        self.panel = self._open([one for one in self.seating.seats if one.engine in self.asked])
        self._reference: EnginePanel | None = None
        self._taken: dict[str, float] = {}
        self.unavailable = {**self.seating.unavailable, **self.panel.unavailable}
        self.doubtful = False
        """Whether an engine was ended from outside, so that what it was asked is to be asked again."""
        self.spoiled = False
        """Whether an engine is not asked any more because it hung: the next unit needs a new one."""
        if model.oracle not in self.panel.versions:
            self.close()
            why = self.unavailable.get(model.oracle, "it took no part")
            raise EngineError(f"{model.oracle}, the oracle of {model.name}, could not be run: {why}")

    def answers(self, batches: Iterable[Sequence[AnyCase]], decodes: bool) -> Iterator[Batch]:
        """The batches with the engines' results; where the oracle has no answer, cut there, with the reference's.

        `decodes` says whether the ids are decoded again.
        """
        lost = dict(self.panel.unavailable)
        for batch in self.panel.results(batches, lambda: False, decodes=decodes):
            if self.panel.unavailable != lost:
                engine = next(iter(self.panel.unavailable.keys() - lost.keys()))
                raise LostError(f"{engine} ended during the sweep: {self.panel.unavailable[engine]}")
            self._look(batch.results.values())
            oracle = batch.results[self.judge.oracle]
            if REFERENCE in self.asked or not oracle.failures:
                yield batch
            else:
                yield from self._cut(batch, oracle)

    def _look(self, results: Iterable[Results]) -> None:
        """Take note of what says more about the machine than about an engine."""
        for failure in (failure for one in results for _, failure in one.failures):
            # No library kills itself: it was somebody, or the system, and need not happen again.
            self.doubtful |= failure.kind == "crash" and failure.signal == _KILLED
            self.spoiled |= failure.kind in ("timeout", "unavailable")

    def _cut(self, batch: Batch, oracle: Results) -> Iterator[Batch]:
        """Parts in which the oracle answered all, or none, of the cases; of the latter the reference is asked."""
        start = 0
        for stop in range(1, len(batch.cases) + 1):
            silent = start in oracle.failed
            if stop < len(batch.cases) and (stop in oracle.failed) == silent:
                continue
            cases = batch.cases[start:stop]
            results = {engine: one.slice(start, stop) for engine, one in batch.results.items()}
            if silent:
                results |= self._of_reference(cases)
            yield Batch(cases, results)
            start = stop

    def _of_reference(self, cases: Sequence[AnyCase]) -> dict[str, Results]:
        if self._reference is None:
            own = self.seating.of(REFERENCE)
            self._reference = self._open([own] if own else [])
        (batch,) = self._reference.results([cases], lambda: False)
        self._look(batch.results.values())
        return dict(batch.results)

    def processor_seconds(self) -> dict[str, float]:
        """The processor time of each engine since the last call, opening included."""
        panels = [panel for panel in (self.panel, self._reference) if panel is not None]
        taken = {engine: sum(both) for panel in panels for engine, both in panel.processor_seconds().items()}
        new = {engine: seconds - self._taken.get(engine, 0.0) for engine, seconds in taken.items()}
        self._taken = taken
        return new

    def close(self) -> None:
        """End all engines."""
        self.panel.close()
        if self._reference is not None:
            self._reference.close()


def asked(model: Model, named: Sequence[str], shown: Sequence[str]) -> list[str]:
    """The engines that are asked every text: all but the reference, unless it was named or is the oracle."""
    own = {*named, model.oracle}
    return [engine for engine in shown if engine in own or engine_name.parse(engine).base != REFERENCE]
