"""One child of a worker, the requests that are under way to it, and what becomes of them when it dies."""

from __future__ import annotations

import os
import signal
import time
from collections import deque
from concurrent.futures import Future
from dataclasses import dataclass, field, replace

from tokparity.engines.buffers import FlatBufferError
from tokparity.engines.process.child import Child, ChildGone, Garbage
from tokparity.engines.process.frames import Answer, Request
from tokparity.engines.process.handle import Process, oom_kills
from tokparity.engines.process.lifetime import how_it_ended, kill_group
from tokparity.engines.results import merged
from tokparity.outcome import Failure

_WINDOW = 2
_SMALL = 64
_SMALL_BYTES = 16 << 10
"""Requests under way: two, so that the child finds the next in the pipe, or more if they are small."""

_GRACE = 5.0
"""Seconds within which a child that closed its answers is dead."""

_STARTS = 2
"""A child may have to start a program that has the model open; it has this many times what that took before."""

_MEMORY_WORDS = ("bad_alloc", "memory allocation of", "MemoryError", "Cannot allocate memory", "out of memory")


@dataclass(eq=False)
class Job:
    """A batch, and the answers to its parts so far; `done` receives one Answer to the whole."""

    request: Request
    done: Future[Answer] = field(default_factory=Future)
    parts: dict[int, Answer] = field(default_factory=dict)
    answered: int = 0
    seconds: float = 0.0
    """What its parts have taken, as the child that answered says."""

    def add(self, start: int, count: int, answer: Answer) -> None:
        """Take the answer to `count` cases from `start`; the last one completes the batch."""
        self.parts[start] = answer
        self.answered += count
        if self.answered == len(self.request):
            self.done.set_result(merged(self.request, self.parts))


@dataclass(eq=False)
class Task:
    """The part of a job that is sent to the engine's process as one request."""

    job: Job
    start: int
    request: Request

    def settle(self, answer: Answer) -> None:
        """Hand the answer to the job."""
        self.job.add(self.start, len(self.request), answer)

    def leave(self, failure: Failure) -> None:
        """Answer all of it with one failure: it is not asked."""
        self.settle(self.request.unanswered(tuple((i, failure) for i in range(len(self.request)))))

    def singles(self) -> list[Task]:
        """One task for each text."""
        return [Task(self.job, self.start + i, self.request.part(i, i + 1)) for i in range(len(self.request))]


class Lane:
    """A child and the requests under way to it; `answered` are those that were. `timeout` is the seconds that a small
    batch may take."""

    def __init__(self, timeout: float) -> None:
        self.child: Child | None = None
        self.flight: deque[Task] = deque()
        self.answered = 0
        self._timeout = timeout
        self._since = 0.0
        self._starting = 0.0
        self._oom_kills = 0
        self._memory: int | None = None

    @property
    def has_room(self) -> bool:
        """Whether one more request may be sent."""
        if len(self.flight) < _WINDOW:
            return True
        return len(self.flight) < _SMALL and sum(task.request.size for task in self.flight) < _SMALL_BYTES

    def send(self, task: Task, process: Process) -> None:
        """Put a request on its way, to a new child if there is none; raises WorkerLost."""
        self.flight.append(task)  # first: if the worker is lost now, the task is not
        if self.child is None:
            self.child = process.fork()
            self._memory = process.memory
            self._starting = _STARTS * process.opening
            self._oom_kills = oom_kills()
        if len(self.flight) == 1:
            self._since = time.monotonic()
        self.child.write(task.request.pack())

    @property
    def seconds_left(self) -> float | None:
        """Until the first request under way is overdue; None if there is none."""
        return self._since + self._allowed - time.monotonic() if self.flight else None

    @property
    def _allowed(self) -> float:
        request = self.flight[0].request
        return self._starting + self._timeout * (1 + len(request) / 4000 + request.size / 1_000_000)

    def step(self, ready: set[int], process: Process) -> Failure | None:
        """Move bytes and settle what is answered; why the child had to be given up, if it had.

        What was under way to it is then still in `flight`: see `salvage`. Raises WorkerLost.
        """
        if self.child is None:
            return None
        child = self.child
        try:
            for frame in child.exchange(ready):
                self._settle(frame)
        except ChildGone:
            self.child = None
            status = process.end(child, _GRACE)
            failure = post_mortem(status, child.noise.last_lines(), oom_kills() > self._oom_kills)
            return _with_limit(failure, process.memory)
        except (Garbage, FlatBufferError) as error:
            self.child = None
            process.end(child, 0.0)
            return Failure("error", f"garbled answer: {error}")
        if (left := self.seconds_left) is not None and left <= 0:
            self.child = None
            process.end(child, 0.0)
            said = child.noise.last_lines()
            return Failure("timeout", f"no answer within {self._allowed:.1f} s" + (f": {said}" if said else ""))
        return None

    def _settle(self, frame: memoryview) -> None:
        """Take the answer to the first request under way."""
        if not self.flight:
            raise Garbage("an answer to nothing")
        task = self.flight[0]
        answer = Answer.unpack(frame, task.request)
        if answer.failures:
            failures = tuple((i, _with_limit(failure, self._memory)) for i, failure in answer.failures)
            answer = replace(answer, failures=failures)
        self.flight.popleft()
        self._since, self._starting = time.monotonic(), 0.0
        self.answered += 1
        task.job.seconds += answer.seconds
        task.settle(answer)

    def salvage(self, failure: Failure | None) -> list[Task]:
        """What is to be put again after the child is gone: all that was under way, but a guilty text.

        The first task caused a failure. If it is a single text, the failure is its answer; a batch runs again text by
        text.
        """
        tasks = list(self.flight)
        self.flight.clear()
        if failure is None or not tasks:
            return tasks
        first, *others = tasks
        if len(first.request) > 1:
            return [*first.singles(), *others]
        first.settle(first.request.unanswered(((0, failure),)))
        return others

    def close(self) -> None:
        """Let go of the child of a worker that is gone, and of what the child has started."""
        if self.child is not None:
            kill_group(self.child.pid)
            self.child.close()
            self.child = None


def _with_limit(failure: Failure, memory: int | None) -> Failure:
    """A failure for want of memory says how much of it there was."""
    if failure.kind != "memory" or not memory:
        return failure
    had = f"it may take {memory / (1 << 30):.1f} GiB beyond its model"
    return replace(failure, message=f"{failure.message.rstrip(': ')} ({had})")


def post_mortem(status: int, said: str, oom_killed: bool) -> Failure:
    """What a child died of, from its wait status and the last it wrote."""
    words = f": {said}" if said else ""
    if not os.WIFSIGNALED(status):
        return Failure("crash", f"ended with exit code {os.waitstatus_to_exitcode(status)}{words}")
    number = os.WTERMSIG(status)
    name = how_it_ended(-number)
    if (number == signal.SIGKILL and oom_killed) or any(word in said for word in _MEMORY_WORDS):
        return Failure("memory", f"{name}, out of memory{words}", number)
    return Failure("crash", f"{name}{words}", number)
