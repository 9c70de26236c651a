"""The places where a recorder writes: a report's file, or nowhere."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from tokparity.finding import Control, Finding, Mismatch
from tokparity.report.extent import Extent
from tokparity.report.model import Pair, Vanished


class Writer(Protocol):
    """Where a recorder writes: a report's file, or nowhere."""

    def mismatch(self, mismatch: Mismatch) -> int:
        """Write one mismatch; gives its index, by which a finding refers to it."""

    def finding(self, finding: Finding, members: Sequence[int]) -> None:
        """Write one finding with the indices of its mismatches."""

    def control(self, control: Control) -> None:
        """Write one case on which an engine was right."""

    def vanished(self, vanished: Vanished) -> None:
        """Write that an accepted finding did not occur."""

    def note(self, note: str) -> None:
        """Write what a reader of the report must know."""

    def extent(self, extent: Extent) -> None:
        """Write how far the run of a model came."""

    def pair(self, pair: Pair) -> None:
        """Write the present counts of a pair: one model, compared on one engine."""

    def flush(self) -> None:
        """Hand what was written to the operating system."""


class Unwritten:
    """A writer that only numbers mismatches: for sessions that leave no report."""

    def __init__(self) -> None:
        self._mismatches = 0

    def mismatch(self, mismatch: Mismatch) -> int:
        """Give the mismatch its index."""
        self._mismatches += 1
        return self._mismatches - 1

    def _nothing(self, *written: Any, **named: Any) -> None:
        """Of all else nothing is kept."""

    finding = control = vanished = note = extent = pair = flush = _nothing


class Passing:
    """A writer that passes each record on, as the name of what writes it and its arguments; mismatches are numbered
    from 0 here."""

    def __init__(self, put: Callable[[str, tuple[Any, ...]], None]) -> None:
        self._put = put
        self._mismatches = 0

    def mismatch(self, mismatch: Mismatch) -> int:
        """Pass it on, and give it its index."""
        self._put("mismatch", (mismatch,))
        self._mismatches += 1
        return self._mismatches - 1

    def finding(self, finding: Finding, members: Sequence[int]) -> None:
        """Pass it on with the indices given here."""
        self._put("finding", (finding, members))

    def control(self, control: Control) -> None:
        """Pass it on."""
        self._put("control", (control,))

    def vanished(self, vanished: Vanished) -> None:
        """Pass a vanished finding on to the writer."""
        self._put("vanished", (vanished,))

    def note(self, note: str) -> None:
        """Pass it on."""
        self._put("note", (note,))

    def extent(self, extent: Extent) -> None:
        """Pass it on."""
        self._put("extent", (extent,))

    def pair(self, pair: Pair) -> None:
        """Pass it on."""
        self._put("pair", (pair,))

    def flush(self) -> None:
        """Pass it on."""
        self._put("flush", ())
