"""The counts of one engine on one model."""

from __future__ import annotations

from dataclasses import dataclass, fields
from operator import add, attrgetter


@dataclass(frozen=True)
class Tally:
    """Counts that can be added up; see `report.Pair` for what each means."""

    cases: int = 0
    mismatches: int = 0
    failures: int = 0
    unsupported: int = 0
    unjudged: int = 0
    decode: int = 0
    round_trip: int = 0
    not_stored: int = 0
    unrecorded: int = 0
    rows: int = 0
    rows_differ: int = 0
    streams: int = 0
    streams_differ: int = 0
    again: int = 0
    again_same: int = 0
    again_stable: int = 0
    again_rows: int = 0
    again_rows_same: int = 0
    again_rows_stable: int = 0
    again_differ: int = 0
    spans: int = 0
    spans_differ: int = 0
    prompts: int = 0
    prompts_differ: int = 0
    prompts_not_run: int = 0

    def __add__(self, other: Tally) -> Tally:
        return Tally(*map(add, _counts(self), _counts(other)))

    @property
    def equal(self) -> int:
        """Cases on which the engine gave the expected ids."""
        return self.compared - self.mismatches - self.failures

    @property
    def found(self) -> int:
        """All that differs, which is counted by kind as well."""
        of_texts = self.mismatches + self.failures + self.decode + self.round_trip
        of_rows = self.rows_differ + self.streams_differ + self.again_differ + self.spans_differ
        return of_texts + of_rows + self.prompts_differ

    @property
    def put(self) -> int:
        """Texts, rows of ids, and what else was asked."""
        return self.cases + self.rows + self.streams + self.again + self.again_rows + self.spans + self.prompts

    @property
    def compared(self) -> int:
        """Cases on which the engine could be right or wrong."""
        return self.cases - self.unsupported - self.unjudged


_counts = attrgetter(*(field.name for field in fields(Tally)))
