"""The parent's side of one worker process: start it, have it open its model and fork children, end it."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from tokparity.engines.hello import Hello, error_from_json
from tokparity.engines.process.child import Child, Noise, wait
from tokparity.engines.process.lifetime import kill_group
from tokparity.engines.process.worker import receive, send
from tokparity.engines.protocol import Options
from tokparity.errors import EngineError

ENVIRONMENT = {
    "TOKENIZERS_PARALLELISM": "false",
    "GGML_NO_BACKTRACE": "1",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "PYTHONUNBUFFERED": "1",
    "PYTHONHASHSEED": "0",
    "TRANSFORMERS_VERBOSITY": "error",
    "TRANSFORMERS_NO_ADVISORY_WARNINGS": "1",
    "HF_HUB_DISABLE_PROGRESS_BARS": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "DO_NOT_TRACK": "1",
}
"""One thread per worker (the workers are the parallelism, and threads do not survive a fork); nothing chatty; and no
debugger, which ggml would start on every crash."""

USERS_PATH = "TOKPARITY_USERS_PYTHONPATH"
"""The variable in which a worker finds the PYTHONPATH that the user has set; its own holds all of our sys.path."""


def python_path() -> dict[str, str]:
    """The variables with which a process of ours imports what this one does, and still knows what the user set."""
    users = os.environ.get(USERS_PATH, os.environ.get("PYTHONPATH", ""))
    return {"PYTHONPATH": os.pathsep.join(sys.path), USERS_PATH: users}


_PATIENCE = 60.0
"""Seconds within which a worker obeys; it has nothing else to do."""


class WorkerLost(Exception):
    """The worker process itself, not only a child of it, is gone."""


class Process:
    """A worker process with its model open."""

    def __init__(self, engine: str, path: str | None, options: Options, seconds: float, memory: int | None) -> None:
        self._control, theirs = socket.socketpair()
        self._noise = Noise()
        self._closed = False
        self.memory = memory
        self._deadline = time.monotonic() + seconds
        self._popen = subprocess.Popen(
            [sys.executable, "-P", "-m", "tokparity.engines.process.worker", str(theirs.fileno())],
            stdin=subprocess.DEVNULL,
            stdout=self._noise.theirs,
            stderr=self._noise.theirs,
            pass_fds=[theirs.fileno()],
            start_new_session=True,
            env={**os.environ, **ENVIRONMENT, **python_path()},
        )
        self.pid = self._popen.pid
        theirs.close()
        os.close(self._noise.theirs)
        order = {"engine": engine, "path": path, "options": dict(options), "seconds": seconds + 1, "memory": memory}
        order["parent"] = os.getpid()
        with contextlib.suppress(ConnectionError):  # it died at once; `wait_ready` says so
            send(self._control, order)

    def wait_ready(self) -> Hello:
        """What the engine says of itself, once the model is open.

        Raises the error that says why the engine can't, WorkerLost where it dies.
        """
        return Hello.from_json(self._first("ready", "it did not open the model in time"))

    def hello(self) -> Hello:
        """What the engine says of itself without a model; raises as `wait_ready` does."""
        return Hello.from_json(self._first("hello", "it did not say in time what it is"))

    def _first(self, word: str, late: str) -> dict[str, Any]:
        """The worker's first message, which is of this kind or tells of an error."""
        try:
            message = self._reply(self._deadline)
        except TimeoutError:
            raise EngineError(late, self._noise.last_lines()) from None
        if "failed" in message:
            raise error_from_json(message["failed"])
        found: dict[str, Any] = message[word]
        return found

    def _reply(self, deadline: float) -> dict[str, Any]:
        """The next control message; the worker's noise is read meanwhile, lest a flood of it block the worker."""
        control = self._control.fileno()
        while time.monotonic() < deadline:
            noise = [self._noise.fd] if self._noise.flowing else []
            ready = wait([control, *noise], deadline - time.monotonic())
            self._noise.drain()
            if control in ready:
                message, _ = receive(self._control)
                if message is None:
                    raise WorkerLost
                return message
        raise TimeoutError

    def _obeyed(self, order: dict[str, Any], fds: tuple[int, ...] = (), seconds: float = _PATIENCE) -> dict[str, Any]:
        try:
            send(self._control, order, fds)
            return self._reply(time.monotonic() + seconds)
        except (ConnectionError, TimeoutError) as error:
            raise WorkerLost from error

    def fork(self) -> Child:
        """A new child that waits for requests; raises WorkerLost."""
        child = Child()
        try:
            child.forked(int(self._obeyed({"fork": True}, child.theirs)["forked"]))
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
            return int(self._obeyed({"end": child.pid, "grace": grace}, seconds=grace + _PATIENCE)["status"])
        except WorkerLost:
            kill_group(child.pid)
            raise
        finally:
            child.close()

    def epitaph(self) -> str:
        """How the worker, which is closed, ended, and the last that it wrote."""
        status = self._popen.returncode
        how = signal.Signals(-status).name if status < 0 else f"exit code {status}"
        said = self._noise.last_lines()
        return f"the worker ended with {how}" + (f": {said}" if said else "")

    def close(self) -> None:
        """End the worker and its children; a second time does nothing."""
        if self._closed:
            return
        self._closed = True
        self._control.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            # One that is dying already is to die of its own cause.
            self._popen.wait(0.2)
        kill_group(self.pid)
        self._popen.wait()
        self._noise.close()


def oom_kills() -> int:
    """How often this system has killed a process because memory ran out; 0 where it doesn't say."""
    try:
        lines = Path("/proc/vmstat").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("oom_kill ")), 0)
