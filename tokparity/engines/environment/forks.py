"""Copies of a process that has opened a model: each was asked nothing, and needs no second import.

The worker runs this file in each environment's Python, 3.8 or later: it imports nothing but the standard library.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import time
from collections.abc import Callable
from typing import Any

_PR_SET_PDEATHSIG = 1


class Forks:
    """By the number in a request, the copy that answers it; it is made at the first request that names it."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[int, Any, Any]] = {}

    def reply(self, number: int, line: bytes, serve: Callable[[Any, Any], None]) -> bytes:
        """Return the line that copy `number` answers to a line; empty if the copy ended. `serve` answers in the
        copy."""
        if number not in self._known:
            self._known[number] = _copy(serve)
        _, into, out = self._known[number]
        try:
            into.write(line)
            into.flush()
        except BrokenPipeError:  # it ended: the other pipe says so
            return b""
        found: bytes = out.readline()
        return found if found.endswith(b"\n") else b""

    def end(self, number: int, seconds: float = 0.0) -> int:
        """The status of a copy, as that of `subprocess.Popen`; it is killed where it still runs after these seconds."""
        if number not in self._known:
            return 0
        pid, into, out = self._known.pop(number)
        into.detach()
        out.close()
        until = time.monotonic() + seconds
        gone, status = os.waitpid(pid, os.WNOHANG)
        while not gone and time.monotonic() < until:
            time.sleep(0.001)
            gone, status = os.waitpid(pid, os.WNOHANG)
        if not gone:
            os.kill(pid, signal.SIGKILL)
            status = os.waitpid(pid, 0)[1]
        return -os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)


def _copy(serve: Callable[[Any, Any], None]) -> tuple[int, Any, Any]:
    """A copy of this process that serves: its number, where its requests are written, where its replies are read."""
    (theirs_in, into), (out, theirs_out) = os.pipe(), os.pipe()
    parent = os.getpid()
    pid = os.fork()
    if pid:
        os.close(theirs_in)
        os.close(theirs_out)
        return pid, os.fdopen(into, "wb"), os.fdopen(out, "rb")
    try:
        _die_with(parent)
        serve(os.fdopen(theirs_in, "rb"), os.fdopen(theirs_out, "w", encoding="utf-8"))
    finally:
        os._exit(0)  # what is buffered belongs to the parent


def _die_with(parent: int) -> None:
    """Be killed when the parent ends; only Linux knows this, and elsewhere the end of the pipe is seen."""
    if sys.platform.startswith("linux"):
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(0)
