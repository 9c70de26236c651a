"""No process outlives what it was started for: groups that are ended whole, and a signal at the parent's death."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
import time
from collections.abc import Callable

_PR_SET_PDEATHSIG = 1


def with_parent() -> Callable[[bool], None]:
    """What a process calls to be killed, or (False) no longer killed, when the thread that started it ends.

    Only Linux knows this; elsewhere it does nothing. The library is loaded here, for after a fork is too late.
    """
    if not sys.platform.startswith("linux"):
        return lambda ends: None
    prctl = ctypes.CDLL(None).prctl

    def ask(ends: bool) -> None:
        prctl(_PR_SET_PDEATHSIG, signal.SIGKILL if ends else 0)

    return ask


def how_it_ended(code: int) -> str:
    """A process's end in words, from its exit code; a negative one is a signal's."""
    if code >= 0:
        return f"exit code {code}"
    try:
        return signal.Signals(-code).name
    except ValueError:  # most of the real-time ones have no name
        return f"signal {-code}"


def kill_group(pid: int) -> None:
    """Kill the group of processes that this one leads, as far as it still is."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)


def lead_group(child: int = 0) -> None:
    """Make a child, or the process itself, lead a group; both do it, for either may come first."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.setpgid(child, child)


def end_group(leader: int, grace: float) -> int:
    """The wait status of a child that leads a group; it is killed if it still runs after `grace` seconds.

    What it started and left behind is killed in any case.
    """
    deadline = time.monotonic() + grace
    pid = status = 0
    while not pid and time.monotonic() < deadline:
        pid, status = os.waitpid(leader, os.WNOHANG)
        if not pid:
            time.sleep(0.0005)
    kill_group(leader)
    if pid:
        return status
    os.kill(leader, signal.SIGKILL)  # a library may have put it into another group
    return os.waitpid(leader, 0)[1]
