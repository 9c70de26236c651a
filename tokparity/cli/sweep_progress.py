"""Shows the progress of a sweep on standard error: one line that changes, or a line now and then in a log."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from tokparity.cli.console import shown
from tokparity.report.rule import count

if TYPE_CHECKING:
    from rich.console import Console

    from tokparity.sweep.run import State

_EVERY = 10.0  # seconds between two lines


class Sweeping:
    """Shows the state of a sweep whenever it is told it."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._status = console.status("", spinner="line") if console.is_terminal else None
        self._shown = -_EVERY
        self._started = False

    def __enter__(self) -> Sweeping:
        if self._status is not None:
            self._status.start()
        return self

    def __exit__(self, *error: object) -> None:
        if self._status is not None:
            self._status.stop()

    def __call__(self, state: State) -> None:
        """Show it, if it is time to."""
        if not self._started:
            self._started = True
            self._print(f"sweep: {state.units} units, {state.finished} done before; dashboard: {state.dashboard}")
        if self._status is not None:
            self._status.update(shown(line(state)))
        elif time.monotonic() > self._shown + _EVERY:
            self._shown = time.monotonic()
            self._print(line(state))

    def _print(self, text: str) -> None:
        self._console.print(shown(text), markup=False, highlight=False, soft_wrap=True)


def line(state: State) -> str:
    """Return the state of the sweep in one line."""
    left = "" if state.seconds_left is None else f", {duration(state.seconds_left)} left"
    found = count(len(state.kinds), "kind of mismatches", "kinds of mismatches")
    workers = count(state.workers, "worker")
    return (
        f"{state.finished} of {state.units} units, {state.bytes / 1e6:.1f} MB, {state.rate / 1e6:.2f} MB/s{left}, "
        f"{found}, {workers}"
    )


def duration(seconds: float) -> str:
    """Seconds as a person reads them."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {rest} s" if minutes else f"{rest} s"
