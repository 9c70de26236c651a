"""The engines of one model, each in its own process, asked together and answered batch by batch."""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import TYPE_CHECKING

from tokparity.errors import TokparityError
from tokparity.judge import Batch
from tokparity.outcome import Case

if TYPE_CHECKING:
    from tokparity.engines.client import Client, Ticket

AHEAD = 4
"""Batches under way at a time: enough that no engine waits for another, few enough that memory stays flat."""

_LANES = 4  # children per engine at most: beyond that, memory is worth more
_POLL = 0.005  # seconds between two looks at whether all have answered


@dataclass(frozen=True)
class Seat:
    """What an engine opens for a model: a path and options, and in words where it comes from."""

    engine: str
    path: str
    options: Mapping[str, object] = field(default_factory=dict)
    source: str = ""


class EngineSet:
    """Clients for all seats of one model. `unavailable` maps an engine to why it is not, or no longer, taking part."""

    def __init__(self, seats: Sequence[Seat], timeout: float) -> None:
        from tokparity.engines.client import Client

        self.versions: dict[str, str] = {}
        self.unavailable: dict[str, str] = {}
        self._clients: dict[str, Client] = {}
        lanes = min(os.cpu_count() or 1, _LANES)
        # All start at once; only then is any of them waited for.
        for seat in seats:
            self._clients[seat.engine] = Client(seat.engine, seat.path, seat.options, timeout=timeout, lanes=lanes)
        for engine, client in list(self._clients.items()):
            try:
                self.versions[engine] = client.wait_ready()
            except TokparityError as error:
                self._lose(engine, error)

    def results(self, batches: Iterable[Sequence[Case]], stop: Callable[[], bool]) -> Iterator[Batch]:
        """Each batch with the results of every engine, in order; ends early when `stop` says so."""
        under_way: deque[tuple[Sequence[Case], dict[str, Ticket]]] = deque()
        for cases in batches:
            if stop():
                return
            under_way.append((cases, self._submit(cases)))
            if len(under_way) == AHEAD:
                batch = self._collect(*under_way.popleft(), stop)
                if batch is None:
                    return
                yield batch
        while under_way:
            batch = self._collect(*under_way.popleft(), stop)
            if batch is None:
                return
            yield batch

    def _submit(self, cases: Sequence[Case]) -> dict[str, Ticket]:
        from tokparity.engines.buffers import Texts

        texts = Texts.from_list([case.text for case in cases])
        add_special, parse_special = cases[0].add_special, cases[0].parse_special
        submitted = {}
        for engine, client in self._clients.items():
            able = client.capabilities
            # With special tokens left out, the decoded ids can be the text again; so this is what all are asked.
            skip = True if able.decodes and True in able.skip_special else None
            submitted[engine] = client.submit(texts, add_special, parse_special, skip)
        return submitted

    def _collect(
        self, cases: Sequence[Case], submitted: Mapping[str, Ticket], stop: Callable[[], bool]
    ) -> Batch | None:
        """The batch when all have answered; None when stopped before. An engine that is given up drops out."""
        while not all(ticket.done() for ticket in submitted.values()):
            if stop():
                return None
            time.sleep(_POLL)
        results = {}
        for engine in submitted:
            if engine not in self._clients:
                continue
            try:
                results[engine] = self._clients[engine].collect()
            except TokparityError as error:
                self._lose(engine, error)
        return Batch(cases, results)

    def _lose(self, engine: str, error: TokparityError) -> None:
        self.unavailable[engine] = str(error)
        self._clients.pop(engine).close()

    def close(self) -> None:
        """End all engines."""
        while self._clients:
            self._clients.popitem()[1].close()

    def __enter__(self) -> EngineSet:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()
