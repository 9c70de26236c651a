"""How long an engine is borne with that hangs, or dies of one text after the other: each takes time from the others."""

from __future__ import annotations

import time

from tokparity.outcome import Failure

_HANGS = 2
"""Texts on which an engine may hang before it is asked no more: each costs all the time that a text may take."""

_DEATHS = 10
"""Texts of which it may die one after the other, without an answer to any, once that takes longer than `timeout`."""

_BATCHES = 3
"""Batches in which that may happen before it is asked no more."""


class Patience:
    """Counts how often an engine hung or died; `over` says why it gets no more questions, and is empty until then."""

    def __init__(self, timeout: float) -> None:
        self.over = ""
        self._timeout = timeout
        self._hangs = 0
        self._batches = 0
        self._deaths: list[float] = []  # when it died of a text, since it last answered one

    def answered(self) -> None:
        """It lives."""
        self._deaths.clear()

    def blamed(self, failure: Failure) -> str:
        """A text made it hang or die: why the rest of the batch is not asked, empty if it is."""
        self._hangs += failure.kind == "timeout"
        self._deaths.append(time.monotonic())
        if self._hangs >= _HANGS:
            self.over = f"hung on {_HANGS} texts before"
        if len(self._deaths) < _DEATHS or self._deaths[-1] - self._deaths[0] <= self._timeout:
            return self.over
        died = f"died of the {len(self._deaths)} texts before, one after the other"
        self._deaths.clear()
        self._batches += 1
        if self._batches == _BATCHES:
            self.over = f"{died}, as in {_BATCHES - 1} batches before"
        return self.over or died
