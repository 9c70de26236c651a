"""The engines of one model, each in its own process; all of them answer the same batches."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from types import TracebackType
from typing import TYPE_CHECKING, Protocol

from tokparity.case import AnyCase
from tokparity.errors import EngineError, TokparityError
from tokparity.outcome import Failure, Outcome
from tokparity.session.judge import Batch
from tokparity.session.outage import WAIT
from tokparity.session.renderers import Renderers
from tokparity.session.slowness import Slowness
from tokparity.session.tickets import Limits, Ticket, answered, submit

if TYPE_CHECKING:
    from tokparity.engines.process.client import Client
    from tokparity.engines.protocol import Capabilities

AHEAD = 8
"""Batches under way at a time: enough that no engine waits for another, few enough that memory stays flat."""

MEMORY = 8 << 30
"""Bytes that a batch may need on top of the open model, if nothing else is said."""

ASKED_AGAIN = 0.5
"""The patience with texts of which it is to be shown that they are slow: they were, and may be so only just."""

_LANES = 4  # children per engine at most: beyond that, memory is worth more
_POLL, _LOOK = 0.005, 0.2  # seconds between two looks: whether all have answered; whether to end before all are open


@dataclass(frozen=True)
class Seat:
    """What an engine opens for a model: a path and options, in words where it comes from, and whether we wrote it."""

    engine: str
    path: str
    options: Mapping[str, object] = field(default_factory=dict)
    source: str = ""
    exported: bool = False


class Panel(Protocol):
    """Engines that can be asked batches: `EnginePanel`, or tokenizers in this very process."""

    def results(
        self, batches: Iterable[Sequence[AnyCase]], stop: Callable[[], bool], only: Collection[str] = ()
    ) -> Iterator[Batch]:
        """Yield each batch (alike questions) with the results of all engines, or of `only` these; end early if told
        to."""


def ask(panel: Panel, engine: str, cases: Sequence[AnyCase]) -> list[Outcome]:
    """What one engine gives to a few more cases of whatever kind; only when no batch is under way."""
    answers: dict[int, Outcome] = {}
    alike: dict[tuple[object, ...], list[int]] = {}
    for index, case in enumerate(cases):
        alike.setdefault(case.question.alike, []).append(index)
    for asked in alike.values():
        batch = next(iter(panel.results([[cases[i] for i in asked]], lambda: False, only=(engine,))), None)
        results = None if batch is None else batch.results.get(engine)
        lost = Failure("unavailable", f"{engine} is not there any more")
        answers |= {i: lost if results is None else results.outcome(n) for n, i in enumerate(asked)}
    return [answers[i] for i in range(len(cases))]


class OpenPanel(Panel, Protocol):
    """The engines of a session. `versions` are those that are open; `unavailable` says why others are not."""

    versions: dict[str, str]
    unavailable: dict[str, str]

    @property
    def undecoded(self) -> Sequence[str]:
        """The engines that cannot leave special tokens out of decoded text, which `submit` needs."""

    def results(
        self,
        batches: Iterable[Sequence[AnyCase]],
        stop: Callable[[], bool],
        only: Collection[str] = (),
        abandon: Callable[[], bool] | None = None,
    ) -> Iterator[Batch]:
        """As every panel's; what is under way when told to stop is waited for until `abandon` says no."""

    def processor_seconds(self) -> dict[str, tuple[float, float]]:
        """What each engine has taken to open the model, and to answer."""

    def fresh(self, engine: str, path: str = "") -> OpenPanel:
        """The same engine alone in a process of its own, with another file perhaps; to be closed."""

    def close(self) -> None:
        """End the processes."""


class EnginePanel:
    """Clients for all seats of one model. `unavailable` maps an engine to why it is not, or no longer, taking part."""

    def __init__(
        self, seats: Iterable[Seat], timeout: float, interrupted: Callable[[], bool] = lambda: False,
        lanes: int | None = None, memory: int = MEMORY, patience: float = 1.0, wait: float = WAIT, decodes: bool = True,
        meanwhile: Callable[[], object] = lambda: None,
    ) -> None:  # fmt: skip
        """Open an engine for each seat as it comes; one that is not open when `interrupted` says so is given up.

        `meanwhile` is called while they open. `lanes` is how many children each engine has (default: one a core, up to
        4), `memory` how many bytes a batch may need. Texts that take far too long are failures (see `Slowness`, which
        says what `patience` is). A server that is away has `wait` seconds. `decodes`: whether ids are decoded again.
        """
        from tokparity.engines.process.client import Client

        self.versions: dict[str, str] = {}
        self.unavailable: dict[str, str] = {}
        self._seats: dict[str, Seat] = {}
        self._timeout, self._wait, self._interrupted, self._decodes = timeout, wait, interrupted, decodes
        self._clients: dict[str, Client] = {}
        self._renderers = Renderers(self._seats)
        self._opening: dict[str, float] = {}
        self._ended: dict[str, float] = {}
        self._slowness: dict[str, Slowness] = {}
        opened = partial(Client, timeout=timeout, lanes=lanes or min(os.cpu_count() or 1, _LANES), memory=memory)
        try:
            for seat in seats:
                self._seats[seat.engine], self._slowness[seat.engine] = seat, Slowness(patience)
                self._clients[seat.engine] = opened(seat.engine, seat.path, seat.options)
            meanwhile()
            for engine in list(self._clients):
                self._open(engine, interrupted)
        except BaseException:  # a signal, too, leaves no process behind
            self.close()
            raise

    def _open(self, engine: str, interrupted: Callable[[], bool]) -> None:
        client = self._clients[engine]
        try:
            while not client.is_settled(_LOOK):
                if interrupted():
                    raise EngineError("interrupted while it opened the model")
            self.versions[engine] = client.wait_ready()
            self._opening[engine] = client.processor_seconds
        except TokparityError as error:
            self.lose(engine, error)

    @property
    def undecoded(self) -> list[str]:
        """As every open panel's."""
        able = {engine: client.capabilities for engine, client in self._clients.items()}
        return [engine for engine, can in able.items() if can.decodes and True not in can.skip_special]

    def fresh(self, engine: str, path: str = "") -> EnginePanel:
        """The same engine alone in a process of its own, which has seen nothing yet; with another file perhaps."""
        seat = replace(self._seats[engine], path=path or self._seats[engine].path)
        return EnginePanel([seat], self._timeout, self._interrupted, patience=ASKED_AGAIN, wait=self._wait)

    def results(
        self,
        batches: Iterable[Sequence[AnyCase]],
        stop: Callable[[], bool],
        only: Collection[str] = (),
        abandon: Callable[[], bool] | None = None,
        decodes: bool = True,
    ) -> Iterator[Batch]:
        """Each batch with the results of every engine (or of `only` these), in order; ends early when told to stop.

        Batches under way are waited for until `abandon` says no (else `stop`), so that an engine that hangs is found.
        """
        abandon, decodes = abandon or stop, decodes and self._decodes
        under_way: deque[tuple[Sequence[AnyCase], dict[str, Ticket]]] = deque()
        for cases in batches:
            if stop():
                break
            under_way.append((cases, self._submit(cases, only, decodes)))
            if len(under_way) == AHEAD:
                batch = self._collect(*under_way.popleft(), stop, abandon, decodes)
                if batch is None:
                    return
                yield batch
        while under_way:
            batch = self._collect(*under_way.popleft(), stop, abandon, decodes)
            if batch is None:
                return
            yield batch

    def _submit(self, cases: Sequence[AnyCase], only: Collection[str], decodes: bool) -> dict[str, Ticket]:
        asked = [client for engine, client in self._clients.items() if not only or engine in only]
        return {own.engine: submit(self._renderers.asked(own, cases), cases, decodes) for own in asked}

    def _collect(
        self, cases: Sequence[AnyCase], submitted: Mapping[str, Ticket], stop: Callable[[], bool],
        abandon: Callable[[], bool], decodes: bool,
    ) -> Batch | None:  # fmt: skip
        """The batch when all have answered; None when it was abandoned. An engine that is given up drops out."""
        limits = Limits(self._wait, stop, lambda: abandon() or self._interrupted())
        while waiting := [ticket for ticket in submitted.values() if not ticket.done()]:  # each may put its next step
            if limits.over():
                return None
            waiting[0].done(_POLL)
        results = {}
        for engine in [engine for engine in submitted if engine in self._clients]:
            client, slowness = self._renderers.asked(self._clients[engine], cases), self._slowness[engine]
            try:
                found = answered(client, cases, submitted[engine], slowness, limits, decodes)
            except TokparityError as error:
                self.lose(engine, error)
                continue
            if found is None:
                return None
            results[engine] = found
        return Batch(cases, results)

    def capabilities(self, engine: str) -> Capabilities:
        """Those of an engine that runs."""
        return self._clients[engine].capabilities

    def lose(self, engine: str, error: TokparityError) -> None:
        """Give an engine up: it is not asked any more, and `unavailable` says why."""
        self.unavailable[engine] = str(error)
        self._close(engine)

    def close(self) -> None:
        """End all engines."""
        for engine in list(self._clients):
            self._close(engine)

    def _close(self, engine: str) -> None:
        client = self._clients.pop(engine)
        client.close()
        self._ended[engine] = client.processor_seconds + self._renderers.close(engine)

    def processor_seconds(self) -> dict[str, tuple[float, float]]:
        """What each engine's processes have taken so far: to open the model, and to answer."""
        taken = self._ended | {engine: client.processor_seconds for engine, client in self._clients.items()}
        # An engine that was never ready did nothing but try to open.
        opening = {engine: self._opening.get(engine, seconds) for engine, seconds in taken.items()}
        return {engine: (opening[engine], taken[engine] - opening[engine]) for engine in taken}

    def __enter__(self) -> EnginePanel:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()
