"""Which processes there are, for tests of what becomes of them."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterable
from pathlib import Path


def is_running(pid: int) -> bool:
    """Whether there is such a process, and it is not a zombie."""
    try:
        return "Z" != Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False


def children(pid: int) -> list[int]:
    """The processes that a process has started."""
    tasks = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(child) for task in tasks for child in task.read_text().split()]


def left(pids: Iterable[int]) -> list[int]:
    """Those that are still there after a time in which anybody would have ended them; they are ended now."""
    until = time.monotonic() + 10
    while (there := [pid for pid in pids if is_running(pid)]) and time.monotonic() < until:
        time.sleep(0.02)
    for pid in there:
        os.kill(pid, signal.SIGKILL)
    return there


def noted(note: Path) -> list[int]:
    """The processes that engines noted in a file, as soon as there is one."""
    until = time.monotonic() + 60
    while not (note.exists() and note.read_text().endswith("\n")) and time.monotonic() < until:
        time.sleep(0.01)
    return [int(line) for line in note.read_text().split()]
