"""The main job: runs every model on all of its engines, with corpora and random texts, judged by its oracle."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tokparity.errors import TokparityError, UnwritableError
from tokparity.finding import Finding
from tokparity.report.extent import Lost
from tokparity.report.file import ReportWriter
from tokparity.report.model import Ended, Footer, Pair, Vanished
from tokparity.session.apart import Apart
from tokparity.session.clock import Clock, SharedClock
from tokparity.session.costs import Costs, Part, total
from tokparity.session.events import Listener
from tokparity.session.one_model import ModelResult, Options, one_model
from tokparity.session.output_order import Turns
from tokparity.session.writer import Writer
from tokparity.sources.corpora import CorpusCases

if TYPE_CHECKING:
    from tokparity.models import Model


@dataclass(frozen=True)
class RunResult:
    """The result of a run."""

    pairs: tuple[Pair, ...]
    findings: tuple[Finding, ...]
    vanished: tuple[Vanished, ...]
    ended: Ended
    lost: Mapping[str, TokparityError]
    """Models that could not be run at all, and why; the others were."""
    costs: Mapping[Part, float] = field(default_factory=dict)
    """Processor seconds by part, of all models that were run; those of engines are 0 where the system tells none."""
    apart: float = 0.0
    """Processor seconds of the processes that models had of their own."""


@dataclass
class Collected:
    """What is kept of the models that were run: a model with its vocabulary takes 100 MB and more."""

    pairs: list[Pair] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    vanished: list[Vanished] = field(default_factory=list)
    ended: set[Ended] = field(default_factory=set)
    costs: list[Costs] = field(default_factory=list)
    apart: float = 0.0

    def add(self, result: ModelResult) -> None:
        """Take what came of a model."""
        self.pairs += result.pairs
        self.findings += result.findings
        self.vanished += result.vanished
        self.ended.add(result.ended)
        self.costs.append(result.costs)
        self.apart += result.own


def run(
    models: Sequence[Model],
    options: Options,
    writer: ReportWriter,
    listener: Listener,
    stop: threading.Event | None = None,
) -> RunResult:
    """Run the models and write the report, footer included; it is whole even when `stop` or the time ends the run."""
    started = time.monotonic()
    clock = SharedClock(options.seconds, len(models), stop or threading.Event())
    costs = Costs()
    with costs.of("generating"):
        corpora = options.corpus_cases()
    for fault in options.faults:
        writer.fault(fault)
    for name, reason in corpora.skipped.items():
        writer.note(f"corpus {name} was left out: {reason}")
    jobs = _Jobs(models, options, corpora, listener, clock, Turns(writer, len(models)))
    done = jobs.done()
    done.costs.append(costs)
    ended: Ended = "interrupted" if clock.stop.is_set() else "time" if "time" in done.ended else "complete"
    writer.close(Footer(ended, time.monotonic() - started))
    return RunResult(
        tuple(done.pairs), tuple(done.findings), tuple(done.vanished), ended, jobs.lost, total(done.costs), done.apart
    )


class _Jobs:
    """The models of a run, as many at a time as its options say."""

    def __init__(
        self,
        models: Sequence[Model],
        options: Options,
        corpora: CorpusCases,
        listener: Listener,
        clock: SharedClock,
        turns: Turns,
    ) -> None:
        self.lost: dict[str, TokparityError] = {}
        self._options, self._corpora, self._listener = options, corpora, listener
        self._clock, self._turns = clock, turns
        self._jobs = min(options.jobs, len(models))
        self._lock, self._next = threading.Lock(), iter(enumerate(models))
        self._results: dict[int, ModelResult] = {}

    def done(self) -> Collected:
        """What came of the models, in their order, when all have been run."""
        if self._jobs > 1:
            with ThreadPoolExecutor(self._jobs) as pool:
                for job in [pool.submit(self._apart) for _ in range(self._jobs)]:
                    job.result()
        else:
            self._each(self._here)
        collected = Collected()
        for _, result in sorted(self._results.items()):
            collected.add(result)
        return collected

    def _here(self, model: Model, clock: Clock, writer: Writer) -> ModelResult:
        return one_model(model, self._options, self._corpora, writer, self._listener, clock)

    def _apart(self) -> None:
        with Apart(self._options, self._listener, self._clock.stop) as process:
            self._each(process.run)

    def _each(self, run_one: Callable[[Model, Clock, Writer], ModelResult]) -> None:
        """Run one model after another, as long as there is one that nobody has taken."""
        while (taken := self._taken()) is not None:
            place, model = taken
            try:
                if not self._clock.stop.is_set():
                    self._one(place, model, run_one)
            finally:
                self._turns.done(place)

    def _taken(self) -> tuple[int, Model] | None:
        with self._lock:
            return next(self._next, None)

    def _one(self, place: int, model: Model, run_one: Callable[[Model, Clock, Writer], ModelResult]) -> None:
        own, writer = self._clock.take(self._options.jobs), self._turns.of(place)
        try:
            result = self._results[place] = run_one(model, own, writer)
            self._clock.give_back(result.taken, self._options.jobs)
        except UnwritableError:
            self._clock.stop.set()
            raise
        except TokparityError as error:
            # One model's damaged file must not cost the report on all others.
            writer.extent(Lost(model.name, str(error)))
            self.lost[model.name] = error
        except BaseException:
            self._clock.stop.set()  # the others are not to go on for hours before it is told
            raise
