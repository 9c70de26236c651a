"""The parent's side of one worker process: start it, have it open its model and fork children, end it."""

from __future__ import annotations

import contextlib
import os
import time
from pathlib import Path
from typing import Any

from tokparity import engines
from tokparity.engines.hello import Hello, error_from_json
from tokparity.engines.process.child import Child
from tokparity.engines.process.fork_servers import forked
from tokparity.engines.process.lifetime import how_it_ended, kill_group
from tokparity.engines.process.obedient import Obedient, WorkerLost
from tokparity.engines.protocol import Options
from tokparity.errors import EngineError


class Process:
    """A worker process with its model open."""

    def __init__(self, engine: str, path: str | None, options: Options, seconds: float, memory: int | None) -> None:
        """Start it; raises EngineError where that can't be done."""
        self._end = Obedient()
        self._closed = False
        self._status = 0
        self.memory = memory
        self.opening = 0.0
        """Seconds that it took to open the model; what a child starts for itself takes about as long again."""
        self._started = time.monotonic()
        self._deadline = self._started + seconds
        try:
            self._server, self.pid = forked(engines.imports(engine), self._end.theirs)
        except BaseException:
            self._end.close()
            raise
        finally:
            self._end.handed_over()
        order = {"engine": engine, "path": path, "options": dict(options), "seconds": seconds + 1, "memory": memory}
        with contextlib.suppress(ConnectionError):  # it died at once; `wait_ready` says so
            self._end.tell(order)

    def wait_ready(self) -> Hello:
        """What the engine says of itself, once the model is open.

        Raises the error that says why the engine can't, WorkerLost where it dies.
        """
        hello = Hello.from_json(self._first("ready", "it did not open the model in time"))
        self.opening = time.monotonic() - self._started
        return hello

    def hello(self) -> Hello:
        """What the engine says of itself without a model; raises as `wait_ready` does."""
        return Hello.from_json(self._first("hello", "it did not say in time what it is"))

    def _first(self, word: str, late: str) -> dict[str, Any]:
        """The worker's first message, which is of this kind or tells of an error."""
        try:
            message = self._end.reply(self._deadline)
        except TimeoutError:
            raise EngineError(late, self._end.noise.last_lines()) from None
        if "failed" in message:
            raise error_from_json(message["failed"])
        found: dict[str, Any] = message[word]
        return found

    def fork(self) -> Child:
        """A new child that waits for requests; raises WorkerLost."""
        child = Child()
        try:
            child.forked(self._end.fork(child.theirs))
        except WorkerLost:
            child.close()
            raise
        finally:
            for fd in child.theirs:
                os.close(fd)
        return child

    def end(self, child: Child, grace: float) -> int:
        """Wait for a child's end, kill it after `grace` seconds, and give its wait status; raises WorkerLost."""
        try:
            return self._end.end(child.pid, grace)
        except WorkerLost:
            kill_group(child.pid)
            raise
        finally:
            child.close()

    def epitaph(self) -> str:
        """How the worker, which is closed, ended, and the last that it wrote."""
        how = how_it_ended(os.waitstatus_to_exitcode(self._status))
        said = self._end.noise.last_lines()
        return f"the worker ended with {how}" + (f": {said}" if said else "")

    def close(self) -> None:
        """End the worker and its children; a second time does nothing."""
        if self._closed:
            return
        self._closed = True
        self._end.leave()
        # One that is dying already is to die of its own cause.
        self._status = self._server.end(self.pid, 0.2)
        self._end.noise.close()


def oom_kills() -> int:
    """How often this system has killed a process because memory ran out; 0 where it doesn't say."""
    try:
        lines = Path("/proc/vmstat").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("oom_kill ")), 0)
