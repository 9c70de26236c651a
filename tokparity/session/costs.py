"""The processor time of a session, by the kind of work that took it."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Literal, TypeVar, get_args

from tokparity.engines import engine_name
from tokparity.finding import Control, Finding, Mismatch
from tokparity.report.extent import Extent
from tokparity.report.model import Pair, Vanished
from tokparity.session.judge import REFERENCE
from tokparity.session.writer import Writer

Part = Literal[
    "preparing", "opening", "engines", "reference", "generating", "judging", "shrinking", "diagnosis", "writing"
]
"""Preparing is what our own process does before a model can be opened; opening is what the engines do then."""

PARTS: tuple[Part, ...] = get_args(Part)

T = TypeVar("T")


class Costs:
    """Processor seconds by part, of the one thread that makes and uses it, and of the engines' processes.

    A part within another one counts for itself alone.
    """

    def __init__(self) -> None:
        self.seconds: defaultdict[Part, float] = defaultdict(float)
        self._part: Part | None = None
        self._since = time.thread_time()

    @contextmanager
    def of(self, part: Part) -> Iterator[None]:
        """Count the processor time of the block as this kind of work."""
        before = self._switch(part)
        try:
            yield
        finally:
            self._switch(before)

    def each(self, part: Part, items: Iterable[T]) -> Iterator[T]:
        """The items; making them counts as this part, what is done with them does not."""
        remaining = iter(items)
        while True:
            with self.of(part):
                try:
                    item = next(remaining)
                except StopIteration:
                    return
            yield item

    def add_engines(self, taken: Mapping[str, tuple[float, float]]) -> None:
        """Add what the processes of engines took: to open a model, and to answer."""
        for engine, (opening, answering) in taken.items():
            self.seconds["opening"] += opening
            self.seconds["reference" if engine_name.parse(engine).base == REFERENCE else "engines"] += answering

    def _switch(self, part: Part | None) -> Part | None:
        """From here on time counts for `part`; gives the part for which it counted so far."""
        now = time.thread_time()
        before = self._part
        if before is not None:
            self.seconds[before] += now - self._since
        self._part, self._since = part, now
        return before


def total(costs: Iterable[Costs]) -> dict[Part, float]:
    """The sum of several, part by part; a part that took no time is there as well."""
    some = [one.seconds for one in costs]
    return {part: sum(seconds.get(part, 0.0) for seconds in some) for part in PARTS}


class TimedWriter:
    """A writer whose work counts as writing."""

    def __init__(self, writer: Writer, costs: Costs) -> None:
        self._writer = writer
        self._costs = costs

    def mismatch(self, mismatch: Mismatch) -> int:
        """Write one mismatch."""
        with self._costs.of("writing"):
            return self._writer.mismatch(mismatch)

    def finding(self, finding: Finding, members: Sequence[int]) -> None:
        """Write one finding."""
        with self._costs.of("writing"):
            self._writer.finding(finding, members)

    def control(self, control: Control) -> None:
        """Write one control, and count the time that it takes."""
        with self._costs.of("writing"):
            self._writer.control(control)

    def vanished(self, vanished: Vanished) -> None:
        """Write what did not occur."""
        with self._costs.of("writing"):
            self._writer.vanished(vanished)

    def note(self, note: str) -> None:
        """Write a note."""
        with self._costs.of("writing"):
            self._writer.note(note)

    def extent(self, extent: Extent) -> None:
        """Write how far the run of a model came."""
        with self._costs.of("writing"):
            self._writer.extent(extent)

    def pair(self, pair: Pair) -> None:
        """Write the counts of a pair."""
        with self._costs.of("writing"):
            self._writer.pair(pair)

    def flush(self) -> None:
        """Hand what was written to the operating system."""
        with self._costs.of("writing"):
            self._writer.flush()
