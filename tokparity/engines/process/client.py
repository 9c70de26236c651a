"""A run's handle on one engine with one model: batches go in, answers come out, and no crash is felt."""

from __future__ import annotations

from concurrent.futures import Future, wait
from itertools import compress
from types import TracebackType
from typing import Literal

import numpy as np

from tokparity import engines
from tokparity.engines.buffers import Ids, Int64s, Texts, valid_utf8
from tokparity.engines.hello import Hello
from tokparity.engines.process.conductor import Conductor
from tokparity.engines.process.frames import Kind, Request
from tokparity.engines.process.handle import Process
from tokparity.engines.process.lane import Job
from tokparity.engines.process.usage import headroom
from tokparity.engines.protocol import Capabilities, Options
from tokparity.engines.results import Results, spread
from tokparity.outcome import TIMEOUT, Failure

_OPENING = 120.0
"""Seconds within which a model is open."""


class Ticket:
    """A batch that was submitted; `result` waits for its answers."""

    def __init__(self, job: Job | None, request: Request, kept: Int64s, total: int, reason: str) -> None:
        self._job = job
        self._request = request
        self._kept = kept
        self._total = total
        self._reason = reason

    def done(self, seconds: float = 0.0) -> bool:
        """Whether, after this many seconds at most, `result` would not wait."""
        if self._job is None or self._job.done.done():
            return True
        return seconds > 0 and bool(wait([self._job.done], seconds).done)

    @property
    def seconds(self) -> float:
        """What the engine has taken for it; of a batch that is answered."""
        return 0.0 if self._job is None else self._job.seconds

    def result(self) -> Results:
        """The answers; raises EngineError or MissingDependencyError where the engine cannot be used."""
        answer = self._request.unanswered() if self._job is None else self._job.done.result()
        others: list[tuple[int, Failure]] = []
        if len(self._kept) < self._total:
            refused = np.setdiff1d(np.arange(self._total), self._kept).tolist()
            others = [(i, Failure("unsupported", self._reason)) for i in refused]
        return spread(answer, self._kept, self._total, others, self._request.kind)


class Client:
    """Asynchronous batches for one engine, which runs in a process of its own.

    `lanes` is the number of children of that process that share the batches. With one for each core, a slow engine
    beside quick ones uses all cores. `timeout` is the seconds that a small batch may take (see `Conductor`). `memory`
    is how many bytes of address space a batch may need on top of the open model (None: no limit; "share": see
    `usage.headroom`). A ticket's `result` raises what `wait_ready` raises if the engine cannot be used (not installed,
    cannot open the model: it is `unavailable`). One client is used from one thread.
    """

    def __init__(
        self,
        engine: str,
        path: str,
        options: Options | None = None,
        *,
        lanes: int = 1,
        timeout: float = TIMEOUT,
        memory: int | Literal["share"] | None = "share",
    ) -> None:
        self.engine = engine
        self._described = engines.get(engine).CAPABILITIES
        limit = headroom() if memory == "share" else memory

        def make() -> Process:
            return Process(engine, path, options or {}, _OPENING, limit)

        self._conductor = Conductor(engine, make, timeout, lanes)

    @property
    def ready(self) -> Future[Hello]:
        """What the engine says of itself, once the model is open, or the error that says why it is not."""
        return self._conductor.ready

    @property
    def capabilities(self) -> Capabilities:
        """The capabilities of the engine; some engines know them only when their model is open."""
        ready = self._conductor.ready
        known = ready.done() and ready.exception() is None
        return ready.result().capabilities if known else self._described

    @property
    def restarts(self) -> int:
        """How often the worker or its child had to be started again."""
        return self._conductor.restarts

    @property
    def worker_pid(self) -> int:
        """The process id of the worker, which is also the id of its process group."""
        return self._conductor.worker_pid

    @property
    def processor_seconds(self) -> float:
        """Processor time of the engine's processes so far, opening included; 0 if the system does not say."""
        return self._conductor.processor_seconds

    def is_settled(self, seconds: float) -> bool:
        """Whether, after this many seconds at most, it is known if the engine can be used."""
        return bool(wait([self.ready], seconds).done)

    def wait_ready(self) -> str:
        """The library and its version, once the model is open; raises EngineError or MissingDependencyError."""
        return self.ready.result().version

    def submit(
        self, texts: Texts, add_special: bool, parse_special: bool, decode_skip_special: bool | None = None
    ) -> Ticket:
        """Have texts encoded, and where `decode_skip_special` is given their ids decoded; returns at once.

        What the engine cannot be asked is answered with Failure("unsupported") and never sent.
        """
        kind = Kind.ENCODE if decode_skip_special is None else Kind.BOTH
        return self._submit_texts(texts, kind, add_special, parse_special, decode_skip_special)

    def submit_spans(self, texts: Texts, add_special: bool, parse_special: bool) -> Ticket:
        """Have texts encoded with the characters of each id; returns at once."""
        if self.capabilities.spans:
            return self._submit_texts(texts, Kind.SPANS, add_special, parse_special)
        reason = f"{self.engine} does not say which characters an id comes from"
        return self._enqueue(Request(Kind.SPANS, Texts.from_list([])), np.arange(0), len(texts), reason)

    def _submit_texts(
        self, texts: Texts, kind: Kind, add_special: bool, parse_special: bool, skip_special: bool | None = None
    ) -> Ticket:
        reason = self._refusal(add_special, parse_special, skip_special)
        asked = np.full(len(texts), not reason)
        if not reason and (kind is Kind.SPANS or not self.capabilities.invalid_utf8):
            asked = valid_utf8(texts)
            reason = f"{self.engine} takes only text that is UTF-8"
        kept = np.flatnonzero(asked)
        sent = texts if len(kept) == len(texts) else Texts.from_list(list(compress(texts.to_list(), asked.tolist())))
        request = Request(kind, sent, add_special, parse_special, bool(skip_special))
        return self._enqueue(request, kept, len(texts), reason)

    def submit_decode(self, ids: Ids, skip_special: bool, kind: Kind = Kind.DECODE) -> Ticket:
        """Have ids decoded, or rows (see `Stream.row`) id by id; returns at once."""
        reason = self._refusal(None, None, skip_special)
        if kind is Kind.STREAM and not (reason or self.capabilities.streams):
            reason = f"{self.engine} has no way of its own to decode ids one after another"
        kept = np.arange(0 if reason else len(ids))
        request = Request(kind, Ids.from_list([]) if reason else ids, skip_special=skip_special)
        return self._enqueue(request, kept, len(ids), reason)

    def submit_render(self, questions: Texts) -> Ticket:
        """Have prompts made of packed questions (see `Render`); returns at once."""
        return self._enqueue(Request(Kind.RENDER, questions), np.arange(len(questions)), len(questions), "")

    def encode(self, texts: Texts, add_special: bool, parse_special: bool) -> Results:
        """Submit and wait."""
        return self.submit(texts, add_special, parse_special).result()

    def decode(self, ids: Ids, skip_special: bool) -> Results:
        """Submit and wait."""
        return self.submit_decode(ids, skip_special).result()

    def close(self) -> None:
        """End the worker; batches that are not answered raise EngineError in `result`."""
        self._conductor.stop()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def _refusal(self, add_special: bool | None, parse_special: bool | None, skip_special: bool | None) -> str:
        """Why the engine cannot be asked this; empty if it can."""
        able = self.capabilities
        if skip_special is not None and not able.decodes:
            return f"{self.engine} does not decode"
        for name, value, honoured in (
            ("add_special", add_special, able.add_special),
            ("parse_special", parse_special, able.parse_special),
            ("skip_special", skip_special, able.skip_special),
        ):
            if value is not None and value not in honoured:
                return f"{self.engine} cannot be asked for {name}={value}"
        return ""

    def _enqueue(self, request: Request, kept: Int64s, total: int, reason: str) -> Ticket:
        job = Job(request) if len(request) else None
        if job is not None:
            self._conductor.put(job)
        return Ticket(job, request, kept, total, reason)
