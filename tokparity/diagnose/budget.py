"""How much a diagnosis may cost."""

from __future__ import annotations

import time

WORK = 20_000_000
"""About microseconds of a machine of 2026."""

SECONDS = 120.0
"""A limit for machines that are much slower than that."""


class Budget:
    """Work is counted, not timed, so that a diagnosis comes to the same end on a slow machine and on a busy one.

    `seconds` is only there so that nothing takes for ever; what is not found when either is spent is unexplained.
    """

    def __init__(self, work: int = WORK, seconds: float = SECONDS) -> None:
        self._left = work
        self._end = time.monotonic() + seconds

    def spend(self, work: int) -> None:
        """So much was done: a text put (its bytes and some more), a tokenizer built (its pieces)."""
        self._left -= work

    def over(self) -> bool:
        """Whether it is time to come to an end."""
        return self._left <= 0 or time.monotonic() >= self._end
