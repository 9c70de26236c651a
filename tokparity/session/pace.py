"""Measures how many cases to send at a time, so that little is under way when time is up."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from tokparity.case import AnyCase

_SHARE = 0.01
"""The part of all the time that one batch may take; several are under way at a time."""
_FIRST, _LEAST, _GROWTH = 64, 8, 4
"""Cases of the first batch, whose speed nobody knows, and of any; and how many times larger the next one may be."""


@dataclass
class Pace:
    """Cuts batches to what the engines answer in a small part of `seconds`; without a limit nothing is cut."""

    seconds: float | None
    _size: int = _FIRST
    _last: float = 0.0

    def __post_init__(self) -> None:
        self._last = time.monotonic()

    def cut(self, batches: Iterable[Sequence[AnyCase]]) -> Iterator[Sequence[AnyCase]]:
        """The cases of each batch in their order, as many at a time as the engines are quick."""
        for batch in batches:
            start = 0
            while start < len(batch):
                stop = len(batch) if self.seconds is None else start + self._size
                yield batch[start:stop]
                start = stop

    def answered(self, cases: int) -> None:
        """This many cases were answered since the last time."""
        if self.seconds is None:
            return
        now = time.monotonic()
        taken, self._last = max(now - self._last, 1e-6), now
        fits = int(cases / taken * _SHARE * self.seconds)
        self._size = max(min(fits, self._size * _GROWTH), _LEAST)
