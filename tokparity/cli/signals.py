"""Handles signals that end a command: Ctrl-C, SIGTERM and every other signal that a process can catch."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from types import FrameType
from typing import Any, NoReturn

from tokparity.cli.console import complain

_NAMES = ("HUP", "QUIT", "TERM", "USR1", "USR2", "ALRM", "VTALRM", "PROF", "XCPU", "IO", "PWR", "STKFLT")
ENDING = tuple(getattr(signal, f"SIG{name}") for name in _NAMES if hasattr(signal, f"SIG{name}"))
"""Signals that would end the process on the spot. A crash (SIGSEGV, ...) is none of them: it is none of ours."""

Handler = Callable[[int, FrameType | None], None]


_SAME = 0.1
"""Signals within this many seconds are one: timeout(1) signals its child, and then the group that the child is in."""


class Stop(threading.Event):
    """Set when a signal asks to end; `signal` is its number, 0 as long as none came, `at` when it came."""

    signal = 0
    at = 0.0


def _set(handlers: Mapping[signal.Signals, Any]) -> None:
    for number, handler in handlers.items():
        signal.signal(number, handler)


def _is_nohup(number: signal.Signals, handler: Any) -> bool:
    return number == signal.SIGHUP and handler is signal.SIG_IGN


@contextmanager
def _handled(handler: Handler, numbers: tuple[signal.Signals, ...]) -> Iterator[None]:
    """These signals call the handler, where this is the main thread.

    Only a hang-up that is ignored stays so (nohup). A shell that starts a command in the background of a script has
    SIGINT ignored, too. But a signal that is sent to this very process shall end it.
    """
    before = {number: signal.getsignal(number) for number in numbers}
    before = {number: was for number, was in before.items() if was is not None and not _is_nohup(number, was)}
    if threading.current_thread() is not threading.main_thread():
        before = {}
    _set(dict.fromkeys(before, handler))
    try:
        yield
    finally:
        _set(before)


class _Again(SystemExit):
    """A second signal came."""


@contextmanager
def ended_by_signals(kept: Callable[[], str] = lambda: "nothing was written") -> Iterator[Stop]:
    """A signal sets the event, so that a run ends cleanly, with a report.

    A second one does not wait for that: the command says what it kept, and exits with 128 and the signal's number.
    """
    stop = Stop()

    def end(number: int, frame: FrameType | None) -> None:
        now = time.monotonic()
        if not stop.is_set():
            stop.signal, stop.at = number, now
            stop.set()
        elif now > stop.at + _SAME:
            raise _Again(128 + number)

    with _handled(end, (signal.SIGINT, *ENDING)):
        try:
            yield stop
        except _Again:
            complain(f"interrupted a second time, so the command ended at once: {kept()}")
            raise


@contextmanager
def ended_as_by_an_exception() -> Iterator[None]:
    """A signal ends the command as an exception does: what was opened is closed; the exit code is 128 and its number.

    Signals for which whoever called us has a way of their own are left alone.
    """

    def end(number: int, frame: FrameType | None) -> NoReturn:
        raise SystemExit(128 + number)

    ending = [number for number in ENDING if signal.getsignal(number) is signal.SIG_DFL]
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        ending.append(signal.SIGINT)
    with _handled(end, tuple(ending)):
        yield
