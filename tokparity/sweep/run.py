"""A sweep from its first unit to its report; whatever ends it in between, what is finished stays."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from tokparity.errors import EngineError, FormatError, TokparityError
from tokparity.finding import Finding
from tokparity.models.cache import put
from tokparity.outcome import TIMEOUT
from tokparity.report.file import ReportWriter
from tokparity.report.model import Ended, Footer, Pair
from tokparity.session.events import Listener
from tokparity.session.one_model import ModelResult
from tokparity.session.panel import MEMORY
from tokparity.session.run import Collected
from tokparity.session.session import Session
from tokparity.sweep import cluster, merge, unit_file
from tokparity.sweep.gathered import Gathered
from tokparity.sweep.manifest import unit_path
from tokparity.sweep.merge import Cost
from tokparity.sweep.open_model import LostError
from tokparity.sweep.shards import Shard
from tokparity.sweep.texts import Text
from tokparity.sweep.unit import Done, Unit

if TYPE_CHECKING:
    from distributed import Client

    from tokparity.models import Model


@dataclass(frozen=True)
class Options:
    """How a sweep is done. Empty `engines` mean all that suit the model. Without `scheduler`, the cluster is on this
    machine, with N `workers`, each of which may take `worker_memory` (as Dask spells it). `memory` is what a batch of
    an engine may need on top of its open model, in bytes. One text in `decode_one_in` has its ids decoded again."""

    engines: tuple[str, ...] = ()
    scheduler: str | None = None
    workers: int = 1
    worker_memory: str = "auto"
    memory: int = MEMORY
    timeout: float = TIMEOUT
    decode_one_in: int = 1


@dataclass
class State:
    """How far a sweep is."""

    units: int
    finished: int = 0
    bytes: int = 0
    here: int = 0
    """Units that were done since this command began; the others were finished before."""
    started: float = field(default_factory=time.monotonic)
    kinds: set[tuple[str, str, str]] = field(default_factory=set)
    """(model, engine, kind) of all mismatches so far."""
    workers: int = 0
    dashboard: str = ""

    @property
    def rate(self) -> float:
        """Bytes of text per second, since this command began."""
        return self.bytes / max(time.monotonic() - self.started, 1e-9)

    @property
    def seconds_left(self) -> float | None:
        """How long the rest takes if it takes as long as what was done."""
        if not self.here:
            return None
        return (time.monotonic() - self.started) / self.here * (self.units - self.finished)


Told = Callable[[State], None]


@dataclass
class SweepResult:
    """The result of a sweep. `damaged` says which text could not be read or run, and why."""

    ended: Ended
    state: State
    damaged: list[str] = field(default_factory=list)
    pairs: list[Pair] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    costs: list[Cost] = field(default_factory=list)


class Sweep:
    """Models before the shards of a text; results go to `folder`, which has its manifest."""

    def __init__(self, models: Sequence[Model], text: Text, options: Options, folder: Path) -> None:
        self._models = models
        self._text = text
        self._options = options
        self._folder = folder
        self._versions: dict[str, tuple[Mapping[str, str], Mapping[str, str]]] = {}
        self._failed: dict[tuple[str, int], str] = {}
        self._lost: dict[str, TokparityError] = {}
        self.state = State(len(models) * len(text.shards))

    def put(self, told: Told, stop: threading.Event) -> None:
        """Do the units that are missing; EngineError where the scheduler is lost, OSError where a disk is full."""
        missing = [unit for model in self._models for unit in self._missing(model)]
        if not missing:
            return
        options = self._options
        with cluster.connected(options.scheduler, options.workers, options.worker_memory) as client:
            self.state.dashboard = cluster.dashboard(client)
            self.state.started = time.monotonic()
            units = (unit for unit in missing if unit.model.name not in self._lost)

            def tick() -> None:
                self.state.workers = cluster.workers(client)
                told(self.state)

            tick()
            self._collect(client, units, stop, tick)

    def _collect(self, client: Client, units: Iterator[Unit], stop: threading.Event, tick: Callable[[], None]) -> None:
        for unit, content in cluster.results(client, units, stop.is_set, tick):
            if isinstance(content, bytes):
                done = unit_file.read(content)
                if not self._is_other(done):
                    put(self._path(unit), content)
                    self._finished(done)
                    self.state.here += 1
                    self.state.bytes += done.bytes
                continue
            self._failed[unit.model.name, unit.shard.number] = cluster.why_failed(content)
            if isinstance(content, EngineError) and not isinstance(content, LostError):
                self._lost[unit.model.name] = content  # every other unit of the model would end in the same way

    def _missing(self, model: Model) -> Iterator[Unit]:
        """The units that are not finished, and those whose text could not be read to its end."""
        for shard in self._text.shards:
            unit = Unit(
                model, self._options.engines, shard, self._options.decode_one_in, self._options.timeout,
                self._options.memory,
            )  # fmt: skip
            path = self._path(unit)
            done = self._stored(unit.model, shard) if path.exists() else None
            if done is None or done.stopped or self._is_other(done):
                yield unit
            else:
                self._finished(done)

    def _stored(self, model: Model, shard: Shard, known: Gathered | None = None) -> Done:
        """What a file of results holds; FormatError where it is another unit's."""
        path = unit_path(self._folder, model.name, shard.number)
        done = unit_file.read(path, known)
        if (done.model, done.shard) != (model.name, shard.number):
            message = f"{str(path)!r} is of unit {done.shard} of {done.model!r:.100}"
            raise FormatError(message, "delete it and run `tokparity sweep --resume` again")
        return done

    def _finished(self, done: Done) -> None:
        self.state.finished += 1
        self.state.kinds.update((done.model, *key) for key in done.gathered.kinds)
        self._failed.pop((done.model, done.shard), None)

    def _is_other(self, done: Done) -> bool:
        """Whether a unit was done by other engines than the first of its model, so that both do not add up."""
        ours = done.versions, done.unavailable
        first = self._versions.setdefault(done.model, ours)
        if ours != first:
            why = f"a worker has other engines than the first one: {ours!r:.150}, not {first!r:.150}"
            self._failed[done.model, done.shard] = why
        return ours != first

    def _path(self, unit: Unit) -> Path:
        return unit_path(self._folder, unit.model.name, unit.shard.number)

    def report(self, writer: ReportWriter, listener: Listener, stop: threading.Event) -> SweepResult:
        """Merge what the units gave, and write the report, footer included."""
        result = SweepResult("complete", self.state)
        collected = Collected()
        for model in self._models:
            if stop.is_set():
                break
            if model.name in self._versions:
                session = self._of_model(model, result, writer, listener, stop)
                if session is not None:
                    collected.add(ModelResult.of(session))
        result.damaged += [f"{self._shown(key)}: {why}" for key, why in self._failed.items()]
        damaged = [f"{name}: {why}" for name, why in self._text.damaged]
        result.damaged = list(dict.fromkeys([*damaged, *result.damaged]))  # each model tells of the same shard
        for where in result.damaged:
            writer.note(f"not compared: {where}")
        result.ended = "interrupted" if stop.is_set() else "complete"
        result.pairs, result.findings = collected.pairs, collected.findings
        writer.close(Footer(result.ended, time.monotonic() - self.state.started))
        return result

    def _of_model(
        self, model: Model, result: SweepResult, writer: ReportWriter, listener: Listener, stop: threading.Event
    ) -> Session | None:
        """The session that reports on one model; what it took and what was damaged go to the result.

        None where no text was compared: what a session asks beside the text would look as if some had been.
        """
        found = Gathered()
        lines = merge.FirstLines(self._text.shards)
        cost = Cost(model.name)
        for shard in self._text.shards:
            if unit_path(self._folder, model.name, shard.number).exists():
                done = self._stored(model, shard, found)
                if self._is_other(done):
                    continue
                lines.number(done)
                found.add(done.gathered)
                cost.add(done)
                result.damaged += damages(done)
        result.costs.append(cost)
        writer.note(merge.asked_of(cost, found))
        if not any(tally.compared for engine, tally in found.tallies.items() if engine != model.oracle):
            why = f"none of {cost.texts} texts could be put to an engine beside the oracle"
            result.damaged.append(f"{model.name}: {why if cost.texts else 'there is no text'}")
            return None
        versions = self._versions[model.name][0]
        options = self._options
        return merge.session(model, options.engines, found, versions, writer, options.timeout, listener, stop)

    def _shown(self, key: tuple[str, int]) -> str:
        model, shard = key
        return f"{model} before {self._text.shards[shard].shown}"


def damages(done: Done) -> list[str]:
    """What could not be read of a unit's shard."""
    told = [f"{damage}" for damage in done.told]
    more = done.damages - len(done.told)
    return [*told, f"after {told[-1].partition(': ')[0]}: {more} more"] if more else told
