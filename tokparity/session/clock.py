"""How long a session may take, and who may end it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

_WHOLE = 1.3
"""Times the given seconds: after that long all ends, if what must be put whole takes no longer than putting may."""
_KEPT, _KEPT_AT_MOST = 0.3, 30.0
"""The part of the given seconds, and the seconds at most, that putting cases leaves to shrinking and explaining."""


@dataclass
class Clock:
    """When to stop: after about `seconds` from `start` on, or when told to. `stop` may be set from a signal handler.

    Putting cases ends in time for shrinking and explaining, which go on to 1.3 times the seconds. Where the probe set
    took longer than putting may, they still have what was kept for them.
    """

    seconds: float | None = None
    stop: threading.Event = field(default_factory=threading.Event)
    _started: float | None = None
    _put: float | None = None

    def start(self) -> None:
        """The engines are open: from here on time counts."""
        self._started = time.monotonic()

    def over(self) -> bool:
        """Whether to stop putting cases."""
        return self.stop.is_set() or self.is_late

    @property
    def is_late(self) -> bool:
        """Whether the time for putting cases is up, or was up before all were put."""
        return self.seconds is not None and self.used >= self._putting

    def afterwards(self) -> None:
        """All cases are put: from here on the time for shrinking and explaining counts."""
        self._put = time.monotonic()

    @property
    def left(self) -> float | None:
        """Seconds that are left for shrinking and explaining; None where nothing limits them."""
        if self.seconds is None or self._put is None:
            return None
        remaining = _WHOLE * self.seconds - min(self.used, self._putting)
        return max(self._put + remaining - time.monotonic(), 0.0)

    def spent(self) -> bool:
        """Whether shrinking and explaining must come to an end."""
        return self.stop.is_set() or self.left == 0.0

    def end_of(self, part: float) -> float | None:
        """When, on the monotonic clock, a part of what is left now is over; None where nothing limits it."""
        left = self.left
        return None if left is None else time.monotonic() + part * left

    def until(self, end: float | None, parts: int = 1) -> Callable[[], bool]:
        """Whether the first of this many equal parts of the time up to an end is over, or all must come to one."""
        mine = None if end is None else time.monotonic() + max(end - time.monotonic(), 0.0) / parts
        return lambda: self.spent() or (mine is not None and time.monotonic() >= mine)

    def share(self, part: float) -> Callable[[], bool]:
        """Whether a part of what is left now is over, or all must come to an end."""
        return self.until(self.end_of(part))

    @property
    def taken(self) -> float:
        """Seconds since the start, of those that there were; none of what was put whole all the same."""
        taken = 0.0 if self._started is None else time.monotonic() - self._started
        return taken if self.seconds is None else min(taken, self.seconds)

    @property
    def _putting(self) -> float:
        """Seconds after which no more cases are put."""
        return 0.0 if self.seconds is None else self.seconds - min(_KEPT * self.seconds, _KEPT_AT_MOST)

    @property
    def used(self) -> float:
        """Seconds that putting cases has taken."""
        if self._started is None:
            return 0.0
        return (self._put or time.monotonic()) - self._started


@dataclass
class SharedClock:
    """The time of a run of several models, which they share; one that needs less leaves more to the others."""

    seconds: float | None
    models: int
    stop: threading.Event = field(default_factory=threading.Event)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def take(self, at_a_time: int = 1) -> Clock:
        """The clock of the next model, of which this many are run at a time."""
        with self._lock:
            rounds = max(-(-self.models // at_a_time), 1)
            self.models -= 1
            return Clock(None if self.seconds is None else self.seconds / rounds, self.stop)

    def give_back(self, taken: float, at_a_time: int = 1) -> None:
        """Note the seconds that a model has taken."""
        with self._lock:
            if self.seconds is not None:
                self.seconds = max(self.seconds - taken / at_a_time, 1e-3)
