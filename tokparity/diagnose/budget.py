"""What is left of the work and the time that a diagnosis may take."""

from __future__ import annotations

import time
from collections.abc import Callable

from tokparity.diagnose.limits import Limits


class Budget:
    """Work is counted, not timed, so that a diagnosis comes to the same end on a slow machine and on a busy one.

    The seconds are only there so that nothing takes for ever; what is not found when either is spent is unexplained.
    """

    def __init__(self, limits: Limits, interrupted: Callable[[], bool] = lambda: False) -> None:
        self._work_left = limits.work
        self._interrupted = interrupted
        self._end = time.monotonic() + limits.seconds

    def spend(self, work: int) -> None:
        """Take note that this much work was done."""
        self._work_left -= work

    def is_spent(self) -> bool:
        """Whether it is time to come to an end."""
        return self._work_left <= 0 or self.is_cut_short

    @property
    def is_cut_short(self) -> bool:
        """Whether it ended before its work was done."""
        return self.is_late or self.is_interrupted

    @property
    def is_late(self) -> bool:
        """Whether the clock ended it."""
        return time.monotonic() >= self._end

    @property
    def is_interrupted(self) -> bool:
        """Whether a signal ended it."""
        return self._interrupted()
