"""How fuzzing goes: one line on standard error that is drawn again and again, or a line now and then."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

    from tokparity.fuzz.coverage import Share

_EVERY = 0.25
_EVERY_WITHOUT_TERMINAL = 10.0


class LiveLine:
    """A Listener that shows cases per second, coverage, mismatches and groups."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._status = console.status("starting engines") if console.is_terminal else None
        self._every = _EVERY if self._status else _EVERY_WITHOUT_TERMINAL
        self._started = self._shown = time.monotonic()
        self._first = -1

    def __enter__(self) -> LiveLine:
        if self._status:
            self._status.start()
        return self

    def __exit__(self, *error: object) -> None:
        if self._status:
            self._status.stop()

    def started(self, model: str, engines: Sequence[str]) -> None:
        """From here on cases are counted."""
        self._started = time.monotonic()
        self._print(f"{model}: {', '.join(engines)}")

    def advanced(self, cases: int, mismatches: int, groups: int, coverage: Callable[[], Mapping[str, Share]]) -> None:
        """Draw the line again, if it is time."""
        now = time.monotonic()
        if self._first < 0:
            self._first, self._started = cases, now
        if now < self._shown + self._every:
            return
        self._shown = now
        shares = coverage()
        rate = (cases - self._first) / max(now - self._started, 1e-3)
        shown = ", ".join(f"{name} {100 * share.reached // max(share.of, 1)} %" for name, share in shares.items())
        self._say(f"{cases} cases, {rate:.0f}/s, {mismatches} mismatches in {groups} groups; {shown}")

    def shrinking(self, done: int, groups: int) -> None:
        """Draw how many groups have their smallest text."""
        now = time.monotonic()
        if now >= self._shown + self._every or done == groups:
            self._shown = now
            self._say(f"shrinking: {done} of {groups} groups")

    def _say(self, line: str) -> None:
        if self._status:
            self._status.update(line)
        else:
            self._print(line)

    def _print(self, line: str) -> None:
        self._console.print(line, markup=False, highlight=False, soft_wrap=True)
