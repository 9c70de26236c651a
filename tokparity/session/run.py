"""The main job: every model before every engine, on corpora and random texts, judged by the model's oracle."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING

from tokparity.engines.deviations import Deviation
from tokparity.errors import TokparityError, UnwritableError
from tokparity.finding import Finding
from tokparity.generators import Prepared, prepared
from tokparity.report.file import ReportWriter
from tokparity.report.model import Ended, FileFault, Footer, Pair, Vanished
from tokparity.session import CASES
from tokparity.session.acceptance import accepted_cases
from tokparity.session.apart import run_apart
from tokparity.session.clock import Clock, SharedClock
from tokparity.session.costs import Costs, Part, total
from tokparity.session.deviations import known_cases, shown
from tokparity.session.events import Listener
from tokparity.session.evidence import Keep
from tokparity.session.panel import EnginePanel
from tokparity.session.seats import seat
from tokparity.session.session import Session
from tokparity.session.turns import Turns
from tokparity.session.writer import Writer
from tokparity.sources.corpora import CorpusCases
from tokparity.sources.random_texts import random_cases
from tokparity.sources.source import Listed
from tokparity.sources.stress import Stress

if TYPE_CHECKING:
    from tokparity.models import Model

KEEP = Keep()


@dataclass(frozen=True)
class Options:
    """What to run. Empty `engines`, `corpora` and `generators` mean all of them; `seconds` bounds the whole run.

    `timeout` is the seconds a small batch may take; `jobs` how many models are run at a time. `faults` are the keys of
    the models' files that are known to be wrong.
    """

    engines: tuple[str, ...] = ()
    corpora: tuple[str, ...] = ()
    generators: tuple[str, ...] = ()
    cases: int = CASES
    seconds: float | None = None
    seed: int = 0
    jobs: int = 1
    keep: Keep = KEEP
    timeout: float = 20.0
    faults: tuple[FileFault, ...] = ()
    stress: bool = False
    """Whether very long texts are put as well."""


@dataclass(frozen=True)
class RunResult:
    """What came of a run."""

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

    @property
    def new(self) -> tuple[Finding, ...]:
        """Findings that are neither known nor accepted."""
        return tuple(finding for finding in self.findings if finding.is_new)


@dataclass(frozen=True)
class ModelResult:
    """What came of one model. `used` are the seconds that putting its cases took; `own` those of the processor that a
    process of its own took, 0 where it had none."""

    model: str
    pairs: Sequence[Pair]
    findings: Sequence[Finding]
    vanished: Sequence[Vanished]
    ended: Ended
    expected: Sequence[Deviation]
    costs: Costs
    used: float
    own: float = 0.0

    @classmethod
    def of(cls, session: Session) -> ModelResult:
        """What came of a session that has ended."""
        came = session.pairs, session.findings, session.vanished, session.ended, session.expected
        return cls(session.model.name, *came, session.costs, session.clock.used)


@dataclass
class Collected:
    """What is kept of the models that were run: a model with its vocabulary takes 100 MB and more."""

    pairs: list[Pair] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    vanished: list[Vanished] = field(default_factory=list)
    ended: set[Ended] = field(default_factory=set)
    expected: dict[Deviation, str] = field(default_factory=dict)
    costs: list[Costs] = field(default_factory=list)
    apart: float = 0.0

    def add(self, result: ModelResult) -> None:
        """Take what came of a model."""
        self.pairs += result.pairs
        self.findings += result.findings
        self.vanished += result.vanished
        self.ended.add(result.ended)
        self.costs.append(result.costs)
        self.expected.update(dict.fromkeys(result.expected, result.model))
        self.apart += result.own

    def vanished_deviations(self) -> list[Vanished]:
        """The known deviations that some of the models are known to show, and that none of them shows any more."""
        occurred = shown(self.findings)
        return [
            Vanished(model, deviation.engine, f"known deviation {deviation.quirk}", deviation.reason)
            for deviation, model in self.expected.items()
            if (deviation.engine, deviation.quirk) not in occurred
        ]


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
        corpora = CorpusCases(options.corpora)
    for fault in options.faults:
        writer.fault(fault)
    for name, reason in corpora.skipped.items():
        writer.note(f"corpus {name} was left out: {reason}")
    done = Collected(costs=[costs])
    lost: dict[str, TokparityError] = {}
    turns = Turns(writer, len(models))
    jobs = min(options.jobs, len(models))

    def one(place: int, model: Model) -> ModelResult | None:
        if clock.stop.is_set():
            return None
        own, mine = clock.take(options.jobs), turns.of(place)
        try:
            if jobs > 1:
                result = run_apart(model, options, own.seconds, mine, listener, clock.stop)
            else:
                result = one_model(model, options, corpora, mine, listener, own)
            clock.give_back(result.used, options.jobs)
            return result
        except UnwritableError:
            clock.stop.set()
            raise
        except TokparityError as error:
            # One model's damaged file must not cost the report on all others.
            mine.note(f"{model.name} could not be run: {error}")
            lost[model.name] = error
            return None
        finally:
            turns.done(place)

    if jobs > 1:
        with ThreadPoolExecutor(jobs) as pool:
            results = list(pool.map(one, range(len(models)), models))
    else:
        results = [one(place, model) for place, model in enumerate(models)]
    for result in filter(None, results):
        done.add(result)
    if done.ended == {"complete"}:
        for vanished in done.vanished_deviations():
            done.vanished.append(vanished)
            writer.vanished(vanished)
    ended: Ended = "interrupted" if clock.stop.is_set() else "time" if "time" in done.ended else "complete"
    writer.close(Footer(ended, time.monotonic() - started))
    return RunResult(
        tuple(done.pairs), tuple(done.findings), tuple(done.vanished), ended, lost, total(done.costs), done.apart
    )


def one_model(
    model: Model, options: Options, corpora: CorpusCases, writer: Writer, listener: Listener, clock: Clock
) -> ModelResult:
    """One model's session, from its first event to its last, in this very process."""
    costs = Costs()
    with costs.of("preparing"):
        seating = seat(model, options.engines)
    with EnginePanel(seating.seats, options.timeout, clock.stop.is_set) as panel:
        session = Session.of(model, seating, panel, clock, writer, options.keep, costs)
        session.faults = [fault for fault in options.faults if fault.model == model.name]
        # Held until the end: what looks for causes makes more texts for the same model.
        held = prepared(seating.source.vocabulary, seating.source.behaviour)
        with costs.of("generating"):
            cases = cases_of(model, held, seating.shown, options, corpora)
        session.puts_accepted = cases.count != 0
        for event in session.run([cases, *([Stress()] if options.stress else [])]):
            listener(event)
    return ModelResult.of(session)


def cases_of(
    model: Model, made_for: Prepared, engines: Sequence[str], options: Options, corpora: CorpusCases
) -> Listed:
    """The accepted texts, so that it is not left to chance whether they are met, random ones, and the corpora.

    Where the user asks for no text (no random ones, and empty corpora) there are none: texts that were chosen because
    engines fail on them say nothing about all others.
    """
    texts = chain(random_cases(options.generators, options.seed, options.cases, made_for), corpora)
    first = next(texts, None)
    if first is None:
        return Listed((), 0)
    count = None if corpora.count is None else corpora.count + options.cases
    return Listed(chain(accepted_cases(model.accepted), known_cases(engines), [first], texts), count)
