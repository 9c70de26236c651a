"""The thread that keeps one worker fed and alive, and finds out which text it died of.

A batch that the worker does not survive is put again one text at a time, in a new child, so that the first text without
an answer is the guilty one: it becomes a Failure, and the others, and the batches queued behind, are answered as if
nothing had been. A restart costs milliseconds (see `worker`) and a round trip less: hence one at a time, not halves.
"""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field

from tokparity.engines.buffers import FlatBufferError
from tokparity.engines.frames import Answer, Request
from tokparity.engines.process import ChildGone, Garbage, Process, WorkerLost, kill_group, oom_kills
from tokparity.engines.results import merged
from tokparity.errors import EngineError, TokparityError
from tokparity.outcome import Failure

WINDOW = 8
"""Requests that are under way to a worker at a time; it works on the first and finds the next in the pipe."""

LOSSES = 3
"""Times that a worker may be lost, with no answer in between, before the engine is given up."""

_MEMORY_WORDS = ("bad_alloc", "memory allocation of", "MemoryError", "Cannot allocate memory", "out of memory")


@dataclass(eq=False)
class Job:
    """A batch, and the answers to its parts so far; `done` receives one Answer to the whole."""

    request: Request
    done: Future[Answer] = field(default_factory=Future)
    parts: dict[int, Answer] = field(default_factory=dict)
    answered: int = 0

    def add(self, start: int, count: int, answer: Answer) -> None:
        """Take the answer to `count` cases from `start`; the last one completes the batch."""
        self.parts[start] = answer
        self.answered += count
        if self.answered == len(self.request):
            self.done.set_result(merged(self.request, self.parts))


@dataclass(eq=False)
class _Task:
    """A part of a job that travels as one request."""

    job: Job
    start: int
    request: Request

    def singles(self) -> list[_Task]:
        return [_Task(self.job, self.start + i, self.request.part(i, i + 1)) for i in range(len(self.request))]


class Conductor:
    """One worker, whatever becomes of it: `put` gives it jobs, `ready` is the engine's version or why it is unusable.

    `make` starts a worker process. `timeout` is the seconds that a small batch may take; 4,000 cases or a megabyte may
    take once more as long.
    """

    def __init__(self, name: str, make: Callable[[], Process], timeout: float) -> None:
        self.ready: Future[str] = Future()
        self.restarts = 0
        self.worker_pid = 0
        self._name = name
        self._make = make
        self._timeout = timeout
        self._lock = threading.Lock()
        self._error: TokparityError | None = None
        self._new: deque[_Task] = deque()
        self._pending: deque[_Task] = deque()
        self._flight: deque[_Task] = deque()
        self._since = 0.0
        self._losses = 0
        self._oom_kills = 0
        self._stop = False
        self._wake, self._waker = os.pipe()
        os.set_blocking(self._wake, False)
        os.set_blocking(self._waker, False)
        self._thread = threading.Thread(target=self._conduct, name=f"tokparity {name}", daemon=True)
        self._thread.start()

    def put(self, job: Job) -> None:
        """Queue a job; returns at once."""
        with self._lock:
            if self._error is None:
                self._new.append(_Task(job, 0, job.request))
                self._nudge()
            else:
                job.done.set_exception(self._error)

    def stop(self) -> None:
        """End the worker, whatever it is doing; jobs that are not answered end with an EngineError."""
        with self._lock:
            if self._stop:
                return
            self._stop = True
            if self.worker_pid:
                kill_group(self.worker_pid)
        self._nudge()
        self._thread.join()
        os.close(self._wake)
        os.close(self._waker)

    def _nudge(self) -> None:
        with contextlib.suppress(BlockingIOError):  # full: the thread will wake
            os.write(self._waker, b"\0")

    # --- what runs in the thread

    def _conduct(self) -> None:
        """Keep the worker fed and alive until `stop`, or until it is given up."""
        error: TokparityError = self._closed()
        try:
            process = self._opened()
            try:
                while not self._stop:
                    process = self._turn(process)
            finally:
                self._close(process)
        except TokparityError as unusable:
            error = unusable
        except BaseException as fault:
            # A fault of our own: whoever waits must not wait for ever.
            error = EngineError(f"its conductor failed: {fault!r}", "report this as a bug")
            raise
        finally:
            error.message = f"engine {self._name!r}: {error.message}"
            self._give_up(error)

    def _opened(self, again: bool = True) -> Process:
        """A worker with its model open; where it dies over it, that is tried `again`, once."""
        with self._lock:
            if self._stop:
                raise self._closed()
            process = self._make()
            self.worker_pid = process.pid
        try:
            version = process.wait_ready()
        except WorkerLost:
            self._close(process)
            if not again:
                raise EngineError(process.epitaph()) from None
        except TokparityError:
            self._close(process)
            raise
        else:
            if not self.ready.done():
                self.ready.set_result(version)
            return process
        return self._opened(again=False)

    def _close(self, process: Process) -> None:
        with self._lock:
            self.worker_pid = 0
        process.close()

    def _closed(self) -> EngineError:
        return EngineError("it was closed before it answered")

    def _turn(self, process: Process) -> Process:
        """One step, and the worker to go on with."""
        try:
            self._step(process)
        except WorkerLost:
            return self._replaced(process)
        return process

    def _step(self, process: Process) -> None:
        """Feed the worker, take what it answers, deal with the death of its child."""
        try:
            self._feed(process)
            if self._stop:
                return
            for frame in process.step(self._wake, self._seconds_left() if self._flight else None):
                self._settle(frame)
            if self._flight and self._seconds_left() <= 0:
                allowed = self._allowed(self._flight[0])
                process.end(0.0)
                self._blame(Failure("timeout", f"no answer within {allowed:.1f} s"))
        except ChildGone:
            status = process.end(5.0)
            self._blame(post_mortem(status, process.tail(), oom_kills() > self._oom_kills))
        except (Garbage, FlatBufferError) as error:
            process.end(0.0)
            self._blame(Failure("error", f"garbled answer: {error}"))

    def _feed(self, process: Process) -> None:
        """Send what is pending, as far as the window allows, to a living child."""
        with contextlib.suppress(BlockingIOError):
            os.read(self._wake, 4096)
        while self._new:
            self._pending.append(self._new.popleft())
        while self._pending and len(self._flight) < WINDOW:
            if not process.has_child:
                process.fork()
                self._oom_kills = oom_kills()
            if not self._flight:
                self._since = time.monotonic()
            task = self._pending.popleft()
            self._flight.append(task)
            process.write(task.request.pack())

    def _settle(self, frame: memoryview) -> None:
        """Take the answer to the first request in flight."""
        if not self._flight:
            raise Garbage("an answer to nothing")
        task = self._flight[0]
        answer = Answer.unpack(frame, task.request)
        self._flight.popleft()
        self._since = time.monotonic()
        self._losses = 0
        task.job.add(task.start, len(task.request), answer)

    def _allowed(self, task: _Task) -> float:
        return self._timeout * (1 + len(task.request) / 4000 + task.request.size / 1_000_000)

    def _seconds_left(self) -> float:
        return self._since + self._allowed(self._flight[0]) - time.monotonic()

    def _blame(self, failure: Failure) -> None:
        """The child is gone: a single text at the head of the flight is guilty, a batch is put again text by text."""
        self.restarts += 1
        again = deque(self._flight)
        self._flight.clear()
        if again:
            task = again.popleft()
            if len(task.request) == 1:
                task.job.add(task.start, 1, task.request.unanswered(((0, failure),)))
            else:
                again.extendleft(reversed(task.singles()))
        self._pending.extendleft(reversed(again))

    def _replaced(self, process: Process) -> Process:
        """A new worker for one that is gone, with what was in flight put again; nobody in particular is blamed."""
        self._close(process)
        self._losses += 1
        if self._losses > LOSSES:
            raise EngineError(f"the worker was lost {self._losses} times in a row", process.epitaph())
        self.restarts += 1
        self._pending.extendleft(reversed(self._flight))
        self._flight.clear()
        return self._opened()

    def _give_up(self, error: TokparityError) -> None:
        """Tell everybody who waits, now and later."""
        with self._lock:
            self._error = error
            waiting = {task.job for task in (*self._flight, *self._pending, *self._new)}
        if not self.ready.done():
            self.ready.set_exception(error)
        for job in waiting:
            job.done.set_exception(error)


def post_mortem(status: int, tail: str, oom_killed: bool) -> Failure:
    """What a child died of, from its wait status and the last it wrote."""
    said = f": {tail}" if tail else ""
    if not os.WIFSIGNALED(status):
        return Failure("crash", f"ended with exit code {os.waitstatus_to_exitcode(status)}{said}")
    number = os.WTERMSIG(status)
    name = signal.Signals(number).name
    if (number == signal.SIGKILL and oom_killed) or any(word in tail for word in _MEMORY_WORDS):
        return Failure("memory", f"{name}, out of memory{said}", number)
    return Failure("crash", f"{name}{said}", number)
