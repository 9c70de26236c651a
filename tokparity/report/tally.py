"""Counts of one engine on one model, which can be added up."""

from __future__ import annotations

from dataclasses import dataclass, fields


@dataclass(frozen=True, kw_only=True)
class Tally:
    """Counts that can be added up; `Pair` says what each means."""

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
        return Tally(**{name: getattr(self, name) + getattr(other, name) for name in _NAMES})

    @property
    def equal(self) -> int:
        """Cases on which the engine gave the expected ids."""
        return self.compared - self.mismatches - self.failures

    @property
    def decoding(self) -> int:
        """The number of cases with equal ids that decode to different texts."""
        return self.decode + self.round_trip

    @property
    def found(self) -> int:
        """All that differs, which is counted by kind as well; some of it was counted only (`not_stored`)."""
        return self.mismatches + self.failures + self.decoding + self.rows_wrong

    @property
    def rows_put(self) -> int:
        """Rows of ids that were decoded, at once or one by one, what was encoded again, texts with spans, prompts."""
        return self.rows + self.streams + self.again + self.again_rows + self.spans + self.prompts

    @property
    def put(self) -> int:
        """Texts, and all else that was asked."""
        return self.cases + self.rows_put

    @property
    def rows_wrong(self) -> int:
        """How many of these differ."""
        return self.rows_differ + self.streams_differ + self.again_differ + self.spans_differ + self.prompts_differ

    @property
    def compared(self) -> int:
        """Cases on which the engine could be right or wrong."""
        return self.cases - self.unsupported - self.unjudged


_NAMES = tuple(field.name for field in fields(Tally))
