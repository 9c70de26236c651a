"""The main job: every model before every engine, on corpora and random texts, judged by the model's oracle."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokparity.errors import TokparityError
from tokparity.finding import Finding
from tokparity.report.file import ReportWriter
from tokparity.report.model import Ended, Footer, Pair, Vanished
from tokparity.session.model_run import ModelRun
from tokparity.session.plan import Clock, Listener, Options
from tokparity.sources.batches import CorpusCases

if TYPE_CHECKING:
    from tokparity.models import Model


@dataclass(frozen=True)
class RunResult:
    """What came of a run."""

    pairs: tuple[Pair, ...]
    findings: tuple[Finding, ...]
    vanished: tuple[Vanished, ...]
    ended: Ended
    lost: Mapping[str, TokparityError]
    """Models that could not be run at all, and why; the others were."""

    @property
    def new(self) -> tuple[Finding, ...]:
        """Findings that nobody has accepted."""
        return tuple(finding for finding in self.findings if not finding.accepted)


@dataclass(frozen=True)
class _Done:
    """What is kept of a model that was run."""

    pairs: Sequence[Pair]
    findings: Sequence[Finding]
    vanished: Sequence[Vanished]
    late: bool


def run(models: Sequence[Model], options: Options, writer: ReportWriter, listener: Listener, clock: Clock) -> RunResult:
    """Run the models and write the report, footer included; the report is whole even when the clock ends the run."""
    started = time.monotonic()
    cases = CorpusCases(options.corpora)
    for name, reason in cases.skipped.items():
        writer.note(f"corpus {name} was left out: {reason}")
    lock = threading.Lock()
    left = len(models)
    done: list[_Done] = []
    lost: dict[str, TokparityError] = {}

    def one(model: Model) -> None:
        nonlocal left
        with lock:
            share = clock.share(-(-left // options.jobs))
            left -= 1
        if clock.stop.is_set():
            return
        found = ModelRun(model, options, cases, writer, lock, listener, share)
        try:
            found.run()
        except TokparityError as error:
            # One model's damaged file must not cost the report on all others.
            with lock:
                writer.note(f"{model.name} could not be run: {error}")
                lost[model.name] = error
            return
        # Only what is told of the run is kept: a model with its vocabulary takes 100 MB and more.
        done.append(_Done(found.pairs(), found.findings, found.vanished, found.clock.over()))

    if options.jobs == 1:
        for model in models:
            one(model)
    else:
        with ThreadPoolExecutor(options.jobs) as pool:
            list(pool.map(one, models))
    late = any(found.late for found in done)
    ended: Ended = "interrupted" if clock.stop.is_set() else "time" if late else "complete"
    writer.close(Footer(ended, time.monotonic() - started))
    return RunResult(
        pairs=tuple(pair for found in done for pair in found.pairs),
        findings=tuple(finding for found in done for finding in found.findings),
        vanished=tuple(vanished for found in done for vanished in found.vanished),
        ended=ended,
        lost=lost,
    )
