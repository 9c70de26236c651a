"""How many cases of a session's sources were run, and whether the probe texts, which a verdict needs, were."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from tokparity.report.extent import Put
from tokparity.session.clock import Clock
from tokparity.session.events import Overdue
from tokparity.session.pace import Pace
from tokparity.sources.source import CaseSource


@dataclass
class Extent:
    """`total` is the number of cases of the sources (None: one of them does not know). `needed` is the number of those
    that always run, whatever the time is."""

    total: int | None = 0
    needed: int = 0
    pace: Pace = field(default_factory=lambda: Pace(None))
    put: int = 0
    _needed_put: int = 0
    _is_overdue: bool = False

    @classmethod
    def of(cls, sources: Sequence[CaseSource], seconds: float | None) -> Extent:
        """The extent of these sources, for a run of this many seconds."""
        counts = [source.count for source in sources]
        total = None if None in counts else sum(count for count in counts if count is not None)
        needed = sum(source.count or 0 for source in sources if source.is_whole)
        return cls(total, needed, Pace(seconds))

    def add(self, source: CaseSource, cases: int) -> None:
        """Count cases of a source that were run."""
        self.pace.answered(cases)
        self.put += cases
        self._needed_put += cases if source.is_whole else 0

    def overdue(self, model: str, clock: Clock) -> Iterator[Overdue]:
        """Once: that what is put whole takes longer than all was to take."""
        if self._is_overdue or clock.seconds is None or self._needed_put >= self.needed:
            return
        if clock.used > clock.seconds:
            self._is_overdue = True
            yield Overdue(model, self._needed_put, self.needed, clock.used, clock.seconds)

    def told(self, model: str) -> Put:
        """What the report says of it."""
        return Put(model, self.put, self.total, self._needed_put, self.needed)
