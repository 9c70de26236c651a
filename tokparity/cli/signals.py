"""Ctrl-C and SIGTERM."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from tokparity.session.plan import Clock


@contextmanager
def ended_by_signals(clock: Clock) -> Iterator[None]:
    """Ctrl-C and SIGTERM end the run cleanly, with a report; a second one ends the process."""

    def end(number: int, frame: FrameType | None) -> None:
        clock.stop.set()
        for name in (signal.SIGINT, signal.SIGTERM):
            signal.signal(name, before[name])

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {name: signal.signal(name, end) for name in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for name, handler in before.items():
            signal.signal(name, handler)
