"""The engines of one model, each in its own process, asked together and answered batch by batch."""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import TYPE_CHECKING

from tokparity.errors import TokparityError
from tokparity.outcome import Case, Failure, Outcome
from tokparity.session.judge import Batch

if TYPE_CHECKING:
    from tokparity.engines.buffers import Ids
    from tokparity.engines.process.client import Client, Ticket
    from tokparity.engines.results import Results

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
        from tokparity.engines.process.client import Client

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

    def results(
        self, batches: Iterable[Sequence[Case]], stop: Callable[[], bool], only: Collection[str] = ()
    ) -> Iterator[Batch]:
        """Each batch with the results of every engine (or of `only` these), in order; ends early when told to stop."""
        under_way: deque[tuple[Sequence[Case], dict[str, Ticket]]] = deque()
        for cases in batches:
            if stop():
                return
            under_way.append((cases, self._submit(cases, only)))
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

    def ask(self, engine: str, cases: Sequence[Case]) -> list[Outcome]:
        """What one engine gives to a few more cases; only when no batch is under way."""
        answers: dict[int, Outcome] = {}
        for add_special, parse_special in sorted({(case.add_special, case.parse_special) for case in cases}):
            asked = [i for i, c in enumerate(cases) if (c.add_special, c.parse_special) == (add_special, parse_special)]
            (batch,) = self.results([[cases[i] for i in asked]], lambda: False, only=(engine,))
            results = batch.results.get(engine)
            lost = Failure("unavailable", self.unavailable.get(engine, ""))
            answers |= {i: lost if results is None else results.outcome(n) for n, i in enumerate(asked)}
        return [answers[i] for i in range(len(cases))]

    def _submit(self, cases: Sequence[Case], only: Collection[str]) -> dict[str, Ticket]:
        from tokparity.engines.buffers import Texts

        texts = Texts.from_list([case.text for case in cases])
        add_special, parse_special = cases[0].add_special, cases[0].parse_special
        submitted = {}
        for engine, client in self._clients.items():
            if only and engine not in only:
                continue
            able = client.capabilities
            # With special tokens left out, the decoded ids can be the text again; so this is what all are asked.
            skip = True if able.decodes and True in able.skip_special else None
            submitted[engine] = client.submit(texts, add_special, parse_special, skip)
        return submitted

    def _collect(
        self, cases: Sequence[Case], submitted: Mapping[str, Ticket], stop: Callable[[], bool]
    ) -> Batch | None:
        """The batch when all have answered; None when stopped before. An engine that is given up drops out."""
        pause = _POLL / 32
        while not all(ticket.done() for ticket in submitted.values()):
            if stop():
                return None
            time.sleep(pause)
            pause = min(2 * pause, _POLL)  # a small batch is answered at once
        results = {}
        for engine in submitted:
            if engine not in self._clients:
                continue
            try:
                results[engine] = self._clients[engine].take(submitted[engine])
            except TokparityError as error:
                self._lose(engine, error)
        return Batch(cases, results)

    def decoded(self, ids: Ids, skip_special: bool, only: Collection[str] = ()) -> dict[str, Results]:
        """What each engine (or each of `only` these) decodes rows of ids to; waits for all."""
        submitted = {
            engine: client.submit_decode(ids, skip_special)
            for engine, client in self._clients.items()
            if not only or engine in only
        }
        results = {}
        for engine, ticket in submitted.items():
            try:
                results[engine] = self._clients[engine].take(ticket)
            except TokparityError as error:
                self._lose(engine, error)
        return results

    def _lose(self, engine: str, error: TokparityError) -> None:
        self.unavailable[engine] = str(error)
        self._clients.pop(engine).close()

    def keep(self, engines: Collection[str]) -> None:
        """End all engines but these: nobody asks the others any more, and a large vocabulary takes its room."""
        for engine in self._clients.keys() - set(engines):
            self._clients.pop(engine).close()

    def close(self) -> None:
        """End all engines."""
        while self._clients:
            self._clients.popitem()[1].close()

    def __enter__(self) -> EngineSet:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()
