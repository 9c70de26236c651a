"""The thread that keeps one worker's children fed and alive, and finds out which text one died of.

If a child does not survive a batch, a new child runs the batch text by text. The first text without an answer is the
guilty one and becomes a Failure. The others, and the batches in the queue, are answered as usual. A restart costs
milliseconds (see `worker`) and a round trip less: hence one at a time, not halves.
"""

from __future__ import annotations

import contextlib
import os
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future

from tokparity.engines.hello import Hello
from tokparity.engines.process.child import wait
from tokparity.engines.process.handle import Process
from tokparity.engines.process.lane import Job, Lane, Task
from tokparity.engines.process.lifetime import kill_group
from tokparity.engines.process.obedient import WorkerLost
from tokparity.engines.process.patience import Patience
from tokparity.engines.process.usage import processor_seconds
from tokparity.errors import EngineError, TokparityError
from tokparity.outcome import Failure

_LOSSES = 3
"""Times that a worker may be lost before the engine is given up."""


class Conductor:
    """One worker, whatever becomes of it: `put` gives it jobs, `ready` is the engine's hello or why it is unusable.

    `make` starts a worker process, `lanes` is how many children of it share the batches. `timeout` is the seconds that
    a small batch may take; 4,000 cases or a megabyte may take once more as long.
    """

    def __init__(self, name: str, make: Callable[[], Process], timeout: float, lanes: int) -> None:
        self.ready: Future[Hello] = Future()
        self.restarts = 0
        self.worker_pid = 0
        self._name = name
        self._make = make
        self._lanes = [Lane(timeout) for _ in range(lanes)]
        self._lock = threading.Lock()
        self._error: TokparityError | None = None
        self._new: deque[Task] = deque()
        self._pending: deque[Task] = deque()
        self._losses = 0
        self._patience = Patience(timeout)
        self._gone = 0.0  # processor seconds of workers that are no more
        self._stop = False
        self._wake, self._waker = os.pipe()
        os.set_blocking(self._wake, False)
        os.set_blocking(self._waker, False)
        self._thread = threading.Thread(target=self._conduct, name=f"tokparity {name}", daemon=True)
        self._thread.start()

    @property
    def processor_seconds(self) -> float:
        """Processor time of the worker and its children so far; after `stop`, until then."""
        with self._lock:
            return self._gone + (0.0 if self._stop else self._taken())

    def _taken(self) -> float:
        """Of the worker that there is now: its own, that of children that ended, that of those that have not."""
        if not self.worker_pid:
            return 0.0
        children = [child for lane in self._lanes if (child := lane.child) is not None]
        return sum(map(processor_seconds, (self.worker_pid, *(child.pid for child in children))))

    def put(self, job: Job) -> None:
        """Queue a job; returns at once."""
        with self._lock:
            if self._error is None:
                self._new.append(Task(job, 0, job.request))
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
                self._gone += self._taken()
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
            error = EngineError(f"the thread that runs the engine failed: {fault!r}", "report this as a bug")
            raise
        finally:
            if not error.message.startswith(f"engine {self._name!r}"):
                error.message = f"engine {self._name!r}: {error.message}"
            self._give_up(error)

    def _opened(self, again: bool = True) -> Process:
        """A worker with its model open; where it dies over it, that is tried `again`, once."""
        if self._stop:
            raise self._closed()
        process = self._make()  # which takes as long as importing a library, if it is the first with it
        with self._lock:
            stopped = self._stop  # meanwhile, which ended nothing
            self.worker_pid = 0 if stopped else process.pid
        if stopped:
            process.close()
            raise self._closed()
        try:
            hello = process.wait_ready()
        except WorkerLost:
            self._close(process)
            if not again:
                raise EngineError(process.epitaph()) from None
        except TokparityError:
            self._close(process)
            raise
        else:
            if not self.ready.done():
                self.ready.set_result(hello)
            return process
        return self._opened(again=False)

    def _close(self, process: Process) -> None:
        with self._lock:
            if not self._stop:  # else it is counted already
                self._gone += self._taken()
            self.worker_pid = 0
        for lane in self._lanes:
            lane.close()
        process.close()

    def _closed(self) -> EngineError:
        return EngineError("the engine was closed before it answered")

    def _turn(self, process: Process) -> Process:
        """One step, and the worker to go on with."""
        try:
            self._step(process)
        except WorkerLost:
            return self._replaced(process)
        return process

    def _step(self, process: Process) -> None:
        """Feed the children, take what they answer, deal with the death of one."""
        self._feed(process)
        if self._stop:
            return
        children = [lane.child for lane in self._lanes if lane.child is not None]
        sources = [self._wake, *(fd for child in children for fd in child.sources)]
        sinks = [fd for child in children for fd in child.sinks]
        left = [seconds for lane in self._lanes if (seconds := lane.seconds_left) is not None]
        ready = wait(sources, min(left, default=None), sinks)
        for lane in self._lanes:
            answered = lane.answered
            failure = lane.step(ready, process)
            if lane.answered > answered:
                self._patience.answered()
            if failure is not None:
                self.restarts += 1
                guilty = lane.flight[0]
                why = self._patience.blamed(failure) if len(guilty.request) == 1 else ""
                self._pending.extendleft(reversed(lane.salvage(failure)))
                if why:
                    self._leave(guilty.job, why)

    def _leave(self, job: Job, why: str) -> None:
        """Ask nothing more of a batch; the others are asked."""
        for task in [task for task in self._pending if task.job is job]:
            self._pending.remove(task)
            task.leave(Failure("unavailable", f"not asked: {self._name} {why}"))

    def _feed(self, process: Process) -> None:
        """Send what is pending, as far as there is room, to the lanes with the least to do."""
        with contextlib.suppress(BlockingIOError):
            os.read(self._wake, 4096)
        while self._new:
            self._pending.append(self._new.popleft())
        while self._pending and self._patience.over:
            self._leave(self._pending[0].job, self._patience.over)
        while self._pending:
            lane = min(self._lanes, key=_load)
            if not lane.has_room:
                return
            lane.send(self._pending.popleft(), process)

    def _replaced(self, process: Process) -> Process:
        """A new worker for one that is gone, with what was under way put again; nobody in particular is blamed."""
        self._close(process)
        for lane in self._lanes:
            self._pending.extendleft(reversed(lane.salvage(None)))
        self._losses += 1
        if self._losses > _LOSSES:
            raise EngineError(f"the engine's process ended {self._losses} times", process.epitaph())
        self.restarts += 1
        return self._opened()

    def _give_up(self, error: TokparityError) -> None:
        """Tell everybody who waits, now and later."""
        with self._lock:
            self._error = error
            flight = [task for lane in self._lanes for task in lane.flight]
            waiting = {task.job for task in (*flight, *self._pending, *self._new)}
        if not self.ready.done():
            self.ready.set_exception(error)
        for job in waiting:
            job.done.set_exception(error)


def _load(lane: Lane) -> int:
    return len(lane.flight)
