"""What processor time a process has taken, as Linux tells it in /proc; how much memory one may take."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable
from pathlib import Path

_MOST = 8 << 30
_LEAST = 1 << 30
_MODELS, _MODEL = 4, 4 << 30
_CGROUP = Path("/sys/fs/cgroup/memory.max")
_SCHEDULED = Path("/proc/thread-self/schedstat")


def headroom() -> int:
    """Bytes that a batch may need on top of an open model: a quarter of what memory there is, from 1 to 8 GiB."""
    return min(max(_memory() // 4, _LEAST), _MOST)


def _memory() -> int:
    """Bytes of memory that this system, or the container, has."""
    there = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    with contextlib.suppress(OSError, ValueError):  # no container, or one without a limit ("max")
        there = min(there, int(_CGROUP.read_text()))
    return there


def models_at_a_time() -> int:
    """How many models a run takes at a time where nobody says: one a core, up to 4, with 4 GiB of memory for each."""
    return max(1, min(os.cpu_count() or 1, _MODELS, _memory() // _MODEL))


def is_told() -> bool:
    """Whether this system reports the processor time of other processes."""
    return Path("/proc/self/stat").exists()


def processor_seconds(pid: int, with_ended_children: bool = True) -> float:
    """Processor time of a process and its ended children; 0 if it is gone or unknown.

    User and system time together, in the kernel's ticks (usually of 10 ms).
    """
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(errors="replace")
    except (FileNotFoundError, ProcessLookupError):
        return 0.0
    # The name of the program comes before, in brackets, and may hold anything.
    fields = stat.rpartition(")")[2].split()
    return sum(map(int, fields[11 : 15 if with_ended_children else 13])) / os.sysconf("SC_CLK_TCK")


def stopwatch() -> Callable[[], float]:
    """Starts to take the time of this thread: seconds so far, but those that it waited for a processor.

    What sleeps takes time, what is held up by other programs does not, where the system tells (Linux); elsewhere all
    seconds count.
    """
    started = time.perf_counter() - waited()
    return lambda: max(0.0, time.perf_counter() - waited() - started)


def waited() -> float:
    """Seconds that this thread could have run, and others did; 0 where the system does not tell."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        return int(_SCHEDULED.read_text().split()[1]) / 1e9
    return 0.0
