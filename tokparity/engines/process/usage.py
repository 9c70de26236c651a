"""What processor time a process has taken, as Linux tells it in /proc; how much memory one may take."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

_MOST = 8 << 30
_LEAST = 1 << 30
_CGROUP = Path("/sys/fs/cgroup/memory.max")


def headroom() -> int:
    """Bytes that a batch may need on top of an open model: a quarter of what memory there is, from 1 to 8 GiB."""
    there = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    with contextlib.suppress(OSError, ValueError):  # no container, or one without a limit ("max")
        there = min(there, int(_CGROUP.read_text()))
    return min(max(there // 4, _LEAST), _MOST)


def is_told() -> bool:
    """Whether this system tells what other processes take."""
    return Path("/proc/self/stat").exists()


def processor_seconds(pid: int) -> float:
    """Seconds of a process and of its children that have ended; 0 where it is gone or nobody tells.

    User and system time together, in the kernel's ticks (usually of 10 ms).
    """
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(errors="replace")
    except (FileNotFoundError, ProcessLookupError):
        return 0.0
    # The name of the program comes before, in brackets, and may hold anything.
    fields = stat.rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
