"""One model before its engines: all cases, judged, counted, grouped and written down."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING

from tokparity.diagnose import Found
from tokparity.diff import Grouping
from tokparity.finding import Finding
from tokparity.generators.subject import Subject
from tokparity.outcome import Case
from tokparity.report.file import ReportWriter
from tokparity.report.model import Pair, Vanished
from tokparity.session.acceptance import Acceptance, accepted_cases
from tokparity.session.diagnosing import Diagnosing, read_by
from tokparity.session.judge import Batch, Judge, Sighting, Tally
from tokparity.session.panel import EngineSet
from tokparity.session.plan import Clock, Listener, Options
from tokparity.session.seats import Seating, seat
from tokparity.sources.batches import CorpusCases, batches, random_cases

if TYPE_CHECKING:
    from tokparity.models import Model

_PAIRS_EVERY = 5.0  # seconds between two records of the counts so far


class ModelRun:
    """One model before its engines."""

    def __init__(
        self,
        model: Model,
        options: Options,
        corpora: CorpusCases,
        writer: ReportWriter,
        lock: threading.Lock,
        listener: Listener,
        clock: Clock,
    ) -> None:
        self._model = model
        self._options = options
        self._corpora = corpora
        self._writer = writer
        self._lock = lock
        self._listener = listener
        self.clock = clock
        self.findings: list[Finding] = []
        self.vanished: list[Vanished] = []
        self._grouping = Grouping(options.keep)
        self._acceptance = Acceptance(model.name, model.accepted)
        self._diagnosing = Diagnosing(model.name, model.oracle)
        self._started = time.monotonic()
        self._written = self._started

    def run(self) -> None:
        """Put all cases before all engines, write what is found."""
        self._seating = seating = seat(self._model, self._options.engines)
        self._judge = Judge(self._model.name, self._model.oracle, seating.source.vocabulary.pieces)
        with EngineSet(seating.seats, self._options.timeout) as engines:
            self._engines = engines
            self._judge.tallies = {engine: Tally() for engine in seating.shown}
            total = None if self._corpora.count is None else self._corpora.count + self._options.cases
            self._listener.started(self._model.name, list(engines.versions), total)
            for batch in engines.results(batches(self._cases(seating)), self.clock.over):
                self._take(batch, list(self._judge.sightings(batch, seating.shown)))
            self._finish(engines)

    def _cases(self, seating: Seating) -> Iterator[Case]:
        options = self._options
        subject = Subject(seating.source.vocabulary, seating.source.behaviour)
        random = random_cases(options.generators, options.seed, options.cases, subject)
        return chain(accepted_cases(self._model.accepted), random, self._corpora)

    def _take(self, batch: Batch, mismatches: Sequence[Sighting]) -> None:
        self._diagnosing.batch(batch, mismatches, self._seating.shown)
        with self._lock:
            for seen in mismatches:
                kept = self._judge.kept(batch, seen, self._grouping)
                if kept is None:
                    self._judge.tallies[seen.engine].not_stored += 1
                    self._diagnosing.counted(seen.engine, seen.kind)
                else:
                    mismatch, group = kept
                    index = self._writer.mismatch(mismatch)
                    group.members.append(index)
                    self._acceptance.met(mismatch, index)
                    self._diagnosing.mismatch(mismatch, index)
            if time.monotonic() > self._written + _PAIRS_EVERY:
                self._write_pairs()
            self._writer.flush()
        self._listener.advanced(self._model.name, len(batch.cases), len(mismatches))

    def _findings(self, engines: EngineSet) -> Iterator[Found]:
        """The findings about every engine that has mismatches, explained as far as time allows."""
        opened = {seat.engine: seat.path for seat in self._seating.seats}
        engines.keep(self._diagnosing.engines())
        for engine in self._diagnosing.engines():
            if self.clock.stop.is_set():
                yield from self._diagnosing.undiagnosed(engine)
                continue
            over = self.clock.over()
            can_ask = not over and engine not in engines.unavailable
            ask = partial(engines.ask, engine) if can_ask else None
            source = self._seating.source
            sources = read_by(source, self._model, opened[engine])
            yield from self._diagnosing.findings(engine, sources, ask, over)

    def _finish(self, engines: EngineSet) -> None:
        found = list(self._findings(engines))
        finished = {engine for engine in self._engines.versions if engine not in self._engines.unavailable}
        with self._lock:
            for one in found:
                finding = self._acceptance.applied(one.finding, one.members)
                self.findings.append(finding)
                self._writer.finding(finding, one.members)
            for engine in self._diagnosing.engines():
                for control in self._diagnosing.controls(engine):
                    self._writer.control(control)
            # Of a run that was cut short nobody can say what would still have come.
            self.vanished += [] if self.clock.over() else self._acceptance.vanished(finished)
            for vanished in self.vanished:
                self._writer.vanished(vanished)
            self._write_pairs()
            self._writer.flush()
        self._listener.finished(self._model.name, self.pairs())

    def _write_pairs(self) -> None:
        self._written = time.monotonic()
        for pair in self.pairs():
            self._writer.pair(pair)

    def pairs(self) -> list[Pair]:
        """The counts so far, one Pair for each engine that was to be run."""
        seating, engines = self._seating, self._engines
        sources = {seat.engine: seat.source for seat in seating.seats}
        return [
            Pair(
                self._model.name,
                engine,
                self._model.oracle,
                engines.versions.get(engine, ""),
                sources.get(engine, ""),
                equal=tally.equal,
                **asdict(tally),
                seconds=time.monotonic() - self._started,
                unavailable=seating.unavailable.get(engine, "") or engines.unavailable.get(engine, ""),
            )
            for engine, tally in self._judge.tallies.items()
        ]
