"""Ctrl-C and SIGTERM."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class Stop(threading.Event):
    """Set when a signal asks to end; `signal` is its number, 0 as long as none came."""

    signal = 0


@contextmanager
def ended_by_signals() -> Iterator[Stop]:
    """Ctrl-C and SIGTERM set the event, so that a run ends cleanly, with a report; a second one ends the process."""
    stop = Stop()

    def end(number: int, frame: FrameType | None) -> None:
        stop.signal = number
        stop.set()
        for name in (signal.SIGINT, signal.SIGTERM):
            signal.signal(name, before[name])

    if threading.current_thread() is not threading.main_thread():
        yield stop
        return
    before = {name: signal.signal(name, end) for name in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stop
    finally:
        for name, handler in before.items():
            signal.signal(name, handler)
