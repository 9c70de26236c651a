"""The parent's side of one worker process: start it, have it fork children, talk to them without ever blocking."""

from __future__ import annotations

import contextlib
import fcntl
import os
import select
import signal
import socket
import subprocess
import sys
import time
from collections import deque
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tokparity.engines.frames import LENGTH
from tokparity.engines.protocol import Options
from tokparity.engines.worker import receive, send
from tokparity.errors import EngineError, MissingDependencyError, TokparityError

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

_TAIL = 16 << 10
_CHUNK = 1 << 20
_FRAME_LIMIT = 4 << 30


class WorkerLost(Exception):
    """The worker process itself, not only its child, is gone."""


class ChildGone(Exception):
    """The child closed its answers: it has ended or is about to."""


class Garbage(Exception):
    """The child wrote something that cannot be a frame."""


class Process:
    """A worker process with its model open, and at most one child of it that answers requests."""

    def __init__(self, engine: str, path: str, options: Options, seconds: float, memory: int | None) -> None:
        self._control, theirs = socket.socketpair()
        noise, noise_end = os.pipe()
        os.set_blocking(noise, False)
        self._noise = noise
        self._noise_open = True
        self._is_closed = False
        self._tail = bytearray()
        self._last = ""
        self._requests = self._answers = -1
        self._unsent: deque[memoryview] = deque()
        self._received = bytearray()
        self._deadline = time.monotonic() + seconds
        self._popen = subprocess.Popen(
            [sys.executable, "-P", "-m", "tokparity.engines.worker", str(theirs.fileno())],
            stdin=subprocess.DEVNULL,
            stdout=noise_end,
            stderr=noise_end,
            pass_fds=[theirs.fileno()],
            start_new_session=True,
            env={**os.environ, **ENVIRONMENT, "PYTHONPATH": os.pathsep.join(sys.path)},
        )
        self.pid = self._popen.pid
        theirs.close()
        os.close(noise_end)
        order = {"engine": engine, "path": path, "options": dict(options), "seconds": seconds + 1, "memory": memory}
        with contextlib.suppress(ConnectionError):  # it died at once; `wait_ready` says so
            send(self._control, order)

    def wait_ready(self) -> str:
        """The engine's version, once the model is open.

        Raises EngineError or MissingDependencyError where the engine says that it can't, WorkerLost where it dies.
        """
        try:
            message = self._reply(self._deadline)
        except TimeoutError:
            raise EngineError("it did not open the model in time", self.tail()) from None
        if "ready" in message:
            return str(message["ready"])
        failed = message["failed"]
        kind: type[TokparityError] = EngineError
        if failed["type"] == "MissingDependencyError":
            kind = MissingDependencyError
        raise kind(failed["message"], failed["hint"])

    def epitaph(self) -> str:
        """How the worker, which is closed, ended, and the last that it wrote."""
        status = self._popen.returncode
        how = signal.Signals(-status).name if status < 0 else f"exit code {status}"
        return f"the worker ended with {how}" + (f": {self._last}" if self._last else "")

    def _reply(self, deadline: float) -> dict[str, Any]:
        """The next control message; the worker's noise is read meanwhile, lest a flood of it block the worker."""
        control = self._control.fileno()
        while time.monotonic() < deadline:
            ready = _readable([control, *self._noises()], deadline - time.monotonic())
            if self._noise in ready:
                self._read_noise()
            if control in ready:
                message, _ = receive(self._control)
                if message is None:
                    raise WorkerLost
                return message
        raise TimeoutError

    @property
    def has_child(self) -> bool:
        """Whether there is a child to talk to."""
        return self._answers >= 0

    def fork(self) -> None:
        """Have the worker fork a child; raises WorkerLost."""
        child_requests, self._requests = os.pipe()
        self._answers, child_answers = os.pipe()
        try:
            send(self._control, {"fork": True}, [child_requests, child_answers])
        except ConnectionError as error:
            raise WorkerLost from error
        finally:
            os.close(child_requests)
            os.close(child_answers)
        for fd in (self._requests, self._answers):
            os.set_blocking(fd, False)
            _widen(fd)
        self._read_noise()
        self._tail.clear()
        self._control_reply(60.0)

    def end(self, grace: float) -> int:
        """Wait for the child's end, kill it after `grace` seconds, and give its wait status; raises WorkerLost."""
        try:
            send(self._control, {"end": grace})
        except ConnectionError as error:
            raise WorkerLost from error
        status = self._control_reply(grace + 60.0)["status"]
        self._forget_child()
        return int(status)

    def _control_reply(self, seconds: float) -> dict[str, Any]:
        try:
            return self._reply(time.monotonic() + seconds)
        except TimeoutError as error:
            raise WorkerLost from error

    def write(self, pieces: Sequence[memoryview]) -> None:
        """Have these bytes written to the child as `step` finds room for them."""
        self._unsent.extend(piece for piece in pieces if len(piece))

    def step(self, wake: int, seconds: float | None) -> list[memoryview]:
        """Move bytes until a whole answer is there, `wake` can be read or the time is over; all whole answers.

        Raises ChildGone and Garbage.
        """
        sources = [wake, *self._noises(), *([self._answers] if self.has_child else [])]
        ready = _readable(sources, seconds, [self._requests] if self._unsent else [])
        if self._noise in ready:
            self._read_noise()
        if self._requests in ready:
            self._send_some()
        return self._receive_some() if self._answers in ready else []

    def _send_some(self) -> None:
        while self._unsent:
            try:
                written = os.writev(self._requests, list(self._unsent)[:64])
            except BlockingIOError:
                return
            except BrokenPipeError:
                self._unsent.clear()  # that it ended shows in its answers
                return
            while written:
                piece = self._unsent.popleft()
                if written < len(piece):
                    self._unsent.appendleft(piece[written:])
                written -= min(written, len(piece))

    def _receive_some(self) -> list[memoryview]:
        try:
            data = os.read(self._answers, _CHUNK)
        except BlockingIOError:
            return []
        if not data:
            raise ChildGone
        self._received += data
        frames = []
        while len(self._received) >= LENGTH.size:
            (length,) = LENGTH.unpack_from(self._received)
            if length > _FRAME_LIMIT:
                raise Garbage(f"an answer that claims {length} bytes")
            end = LENGTH.size + length
            if len(self._received) < end:
                break
            frames.append(memoryview(self._received[LENGTH.size : end]))
            del self._received[:end]
        return frames

    def _noises(self) -> list[int]:
        return [self._noise] if self._noise_open else []

    def _read_noise(self) -> None:
        """Keep the last of what was written to the worker's stdout and stderr; not more at a time than a pipe holds."""
        for _ in range(16):
            try:
                data = os.read(self._noise, _CHUNK)
            except BlockingIOError:
                return
            if not data:
                self._noise_open = False
                return
            self._tail += data
            del self._tail[:-_TAIL]

    def tail(self) -> str:
        """The last lines that the child, or the worker before it, wrote to stdout and stderr."""
        if self._noise_open:
            self._read_noise()
        lines = [line.strip() for line in self._tail.decode("utf-8", "replace").splitlines() if line.strip()]
        return " | ".join(lines[-4:])[-600:]

    def _forget_child(self) -> None:
        for fd in (self._requests, self._answers):
            if fd >= 0:
                os.close(fd)
        self._requests = self._answers = -1
        self._unsent.clear()
        self._received.clear()

    def close(self) -> None:
        """End the worker and its child; a second time does nothing."""
        if self._is_closed:
            return
        self._is_closed = True
        self._last = self.tail()
        self._forget_child()
        self._control.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            # One that is dying already is to die of its own cause.
            self._popen.wait(0.2)
        kill_group(self.pid)
        self._popen.wait()
        os.close(self._noise)


def kill_group(pid: int) -> None:
    """Kill a worker and its child, as far as they still are."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)


def _readable(sources: Sequence[int], seconds: float | None, sinks: Sequence[int] = ()) -> set[int]:
    """Those of `sources` that can be read (or are at their end), and those of `sinks` that can be written."""
    poll = select.poll()
    for fd in sources:
        poll.register(fd, select.POLLIN)
    for fd in sinks:
        poll.register(fd, select.POLLOUT)
    return {fd for fd, _ in poll.poll(None if seconds is None else max(0.0, seconds * 1000))}


def _widen(pipe: int) -> None:
    """Let a pipe hold a whole batch, where the system can and the user may."""
    if hasattr(fcntl, "F_SETPIPE_SZ"):
        with contextlib.suppress(OSError):
            fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, _CHUNK)


def oom_kills() -> int:
    """How often this system has killed a process because memory ran out; 0 where it doesn't say."""
    try:
        lines = Path("/proc/vmstat").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("oom_kill ")), 0)
