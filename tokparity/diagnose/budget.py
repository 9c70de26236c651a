"""How much work a diagnosis may still do, and whether time is up, so that no new family of causes begins."""

from __future__ import annotations

import time
from collections.abc import Callable
from math import inf

_TIME_WAS_UP = "time was up before these causes were tried: "


def _never() -> bool:
    return False


class Budget:
    """Work is counted, not timed, so that a diagnosis comes to the same end on a slow machine and on a busy one.

    A unit is about a microsecond of a machine of 2026. What is spent of a part of a budget is spent of the whole.
    """

    def __init__(
        self,
        work: float = inf,
        seconds: float = inf,
        interrupted: Callable[[], bool] = _never,
        over: Callable[[], bool] = _never,
        whole: Budget | None = None,
    ) -> None:
        self._left = work
        self._end = time.monotonic() + seconds
        self._interrupted, self._over, self._whole = interrupted, over, whole
        self.not_begun: dict[str, None] = {} if whole is None else whole.not_begun
        """What was not begun because time was up, in order."""

    def part(self, work: float) -> Budget:
        """A budget of so much work, and of no more than is left of this one."""
        return Budget(work, whole=self)

    def spend(self, work: float) -> None:
        """Note that this much work was done."""
        self._left -= work
        if self._whole is not None:
            self._whole.spend(work)

    @property
    def is_done(self) -> bool:
        """Whether all the work was done, or a signal ended it: nothing here asks a clock."""
        return self._left <= 0 or self.is_interrupted or (self._whole is not None and self._whole.is_done)

    def begins(self, what: str) -> bool:
        """Whether there is still time to begin `what`; if time is up, `what` is noted as not begun."""
        return not self.is_done and not self.is_too_late_for(what)

    def is_too_late_for(self, what: str) -> bool:
        """Whether something is not begun because time was up, which is noted."""
        if self.is_late:
            self.not_begun[what] = None
        return self.is_late

    @property
    def told(self) -> str:
        """What was not begun, as a reason; empty where all was."""
        return f"{_TIME_WAS_UP}{', '.join(self.not_begun)}" if self.not_begun else ""

    def told_beside(self, why: str) -> str:
        """Join a reason and the list of what was not begun because time was up."""
        if why.startswith(_TIME_WAS_UP):
            return ", ".join((why, *self.not_begun))
        return "; ".join(filter(None, (why, self.told)))

    @property
    def is_late(self) -> bool:
        """Whether the clock says that nothing more is begun."""
        if self._whole is not None and self._whole.is_late:
            return True
        return time.monotonic() >= self._end or self._over()

    @property
    def is_interrupted(self) -> bool:
        """Whether a signal ended it."""
        return self._interrupted() or (self._whole is not None and self._whole.is_interrupted)
