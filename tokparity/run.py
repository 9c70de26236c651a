"""The main job: every model before every engine, on corpora and random texts, judged by the model's oracle."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, Protocol

from tokparity.acceptance import Acceptance, accepted_cases
from tokparity.batches import batches, corpus_cases, random_cases
from tokparity.diff import Grouping
from tokparity.engine_set import EngineSet
from tokparity.finding import Finding, Mismatch
from tokparity.generators.subject import Subject
from tokparity.judge import Judge, Tally
from tokparity.outcome import Case
from tokparity.report import Ended, Footer, Pair, ReportWriter, Vanished
from tokparity.seating import Seating, seat

if TYPE_CHECKING:
    from tokparity.models import Model

CASES = 4000
"""Random texts per model, where the command line does not say."""

_PAIRS_EVERY = 5.0  # seconds between two records of the counts so far


@dataclass(frozen=True)
class Options:
    """What to run. Empty `engines`, `corpora` and `generators` mean all of them; `seconds` bounds the whole run.

    `keep` is how many mismatches of a kind are stored in full; `timeout` the seconds a small batch may take;
    `jobs` how many models are run at a time.
    """

    engines: tuple[str, ...] = ()
    corpora: tuple[str, ...] = ()
    generators: tuple[str, ...] = ()
    cases: int = CASES
    seconds: float | None = None
    seed: int = 0
    jobs: int = 1
    keep: int = 1000
    timeout: float = 20.0


class Listener(Protocol):
    """Who is told how the run goes; called from several threads when several models are run at a time."""

    def started(self, model: str, engines: Sequence[str]) -> None:
        """A model's engines are open."""

    def advanced(self, model: str, cases: int, mismatches: int) -> None:
        """So many cases were judged, and so many mismatches found, since the last call."""

    def finished(self, model: str, pairs: Sequence[Pair]) -> None:
        """A model is done."""


@dataclass(frozen=True)
class RunResult:
    """What came of a run."""

    pairs: tuple[Pair, ...]
    findings: tuple[Finding, ...]
    vanished: tuple[Vanished, ...]
    ended: Ended

    @property
    def new(self) -> tuple[Finding, ...]:
        """Findings that nobody has accepted."""
        return tuple(finding for finding in self.findings if not finding.accepted)


@dataclass
class Clock:
    """When to stop: at a deadline, or when told to. `stop` may be set from a signal handler."""

    deadline: float | None = None
    stop: threading.Event = field(default_factory=threading.Event)

    def over(self) -> bool:
        """Whether to stop now."""
        return self.stop.is_set() or (self.deadline is not None and time.monotonic() >= self.deadline)

    def share(self, models_left: int) -> Clock:
        """A clock for one of the models that are left, with its part of the time."""
        if self.deadline is None:
            return self
        now = time.monotonic()
        return Clock(now + (self.deadline - now) / max(models_left, 1), self.stop)


def run(models: Sequence[Model], options: Options, writer: ReportWriter, listener: Listener, clock: Clock) -> RunResult:
    """Run the models and write the report, footer included; the report is whole even when the clock ends the run."""
    started = time.monotonic()
    lock = threading.Lock()
    left = len(models)
    done: list[ModelRun] = []

    def one(model: Model) -> None:
        nonlocal left
        with lock:
            share = clock.share(-(-left // options.jobs))
            left -= 1
        if clock.stop.is_set():
            return
        found = ModelRun(model, options, writer, lock, listener, share)
        found.run()
        done.append(found)

    if options.jobs == 1:
        for model in models:
            one(model)
    else:
        with ThreadPoolExecutor(options.jobs) as pool:
            list(pool.map(one, models))
    late = any(found.clock.over() for found in done)
    ended: Ended = "interrupted" if clock.stop.is_set() else "time" if late else "complete"
    writer.close(Footer(ended, time.monotonic() - started))
    return RunResult(
        pairs=tuple(pair for found in done for pair in found.pairs()),
        findings=tuple(finding for found in done for finding in found.findings),
        vanished=tuple(vanished for found in done for vanished in found.vanished),
        ended=ended,
    )


class ModelRun:
    """One model before its engines."""

    def __init__(
        self,
        model: Model,
        options: Options,
        writer: ReportWriter,
        lock: threading.Lock,
        listener: Listener,
        clock: Clock,
    ) -> None:
        self._model = model
        self._options = options
        self._writer = writer
        self._lock = lock
        self._listener = listener
        self.clock = clock
        self.findings: list[Finding] = []
        self.vanished: list[Vanished] = []
        self._grouping = Grouping(options.keep)
        self._acceptance = Acceptance(model.name, model.accepted)
        self._started = time.monotonic()
        self._written = self._started

    def run(self) -> None:
        """Put all cases before all engines, write what is found."""
        self._seating = seating = seat(self._model, self._options.engines)
        self._judge = Judge(self._model.name, self._model.oracle, seating.source.vocabulary.pieces)
        with EngineSet(seating.seats, self._options.timeout) as engines:
            self._engines = engines
            self._judge.tallies = {engine: Tally() for engine in seating.shown}
            self._listener.started(self._model.name, list(engines.versions))
            for batch in engines.results(batches(self._cases(seating)), self.clock.over):
                self._take(list(self._judge.judge(batch, seating.shown)), len(batch.cases))
        self._finish()

    def _cases(self, seating: Seating) -> Iterator[Case]:
        options = self._options
        subject = Subject(seating.source.vocabulary, seating.source.behaviour)
        random = random_cases(options.generators, options.seed, options.cases, subject)
        return chain(accepted_cases(self._model.accepted), random, corpus_cases(options.corpora))

    def _take(self, mismatches: Sequence[Mismatch], cases: int) -> None:
        with self._lock:
            for mismatch in mismatches:
                group = self._grouping.add(mismatch)
                if group is None:
                    self._judge.tallies[mismatch.engine].not_stored += 1
                else:
                    group.members.append(self._writer.mismatch(mismatch))
                    self._acceptance.met(mismatch, group.name)
            if time.monotonic() > self._written + _PAIRS_EVERY:
                self._write_pairs()
            self._writer.flush()
        self._listener.advanced(self._model.name, cases, len(mismatches))

    def _finish(self) -> None:
        finished = {engine for engine in self._engines.versions if engine not in self._engines.unavailable}
        with self._lock:
            for group in self._grouping.groups():
                finding = self._acceptance.applied(group.finding())
                self.findings.append(finding)
                self._writer.finding(finding, group.members)
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
