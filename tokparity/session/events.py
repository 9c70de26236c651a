"""The events of a session, which progress bars and other displays receive."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from tokparity.finding import Finding
from tokparity.report.model import Pair

Phase = Literal["open", "put", "shrink", "explain", "accept", "close"]


@dataclass(frozen=True)
class Opened:
    """The engines are open; about `cases` cases will be run on them, None if unknown."""

    model: str
    engines: Sequence[str]
    cases: int | None


@dataclass(frozen=True)
class Judged:
    """How many cases were judged, and mismatches found, since the last event; `notes` are the source's own counts."""

    model: str
    cases: int
    mismatches: int
    groups: int
    notes: Callable[[], Mapping[str, str]] = dict


@dataclass(frozen=True)
class Progressed:
    """This many of the steps of a phase are done."""

    model: str
    phase: Phase
    done: int
    of: int


_LEFT_OUT: Mapping[Phase, str] = {
    "put": "not all texts were compared",
    "shrink": "some of the texts that show a difference may be longer than they need to be",
    "explain": "not all causes were looked for",
    "accept": "whether known or accepted findings have vanished is not known",
}
"""What it means to somebody who has never read of phases that one of them did not come to its end."""


@dataclass(frozen=True)
class LeftOut:
    """A phase did not take place, or ended early, and why."""

    model: str
    phase: Phase
    why: str

    def __str__(self) -> str:
        """What was not done, and why: a note in the report, and a line for whoever waits."""
        return f"{self.model}: {_LEFT_OUT.get(self.phase, self.phase)}: {self.why}"


@dataclass(frozen=True)
class Overdue:
    """`done` texts took `taken` seconds, of `seconds` in all; `of` texts are put, however little time there is."""

    model: str
    done: int
    of: int
    taken: float
    seconds: float

    def __str__(self) -> str:
        """What takes longer than was asked for: a note in the report, and a line for whoever waits."""
        took = f"{self.done:,} texts took {self.taken:.0f} s, more than the {self.seconds:.0f} s that were given"
        return f"{self.model}: {took}; the first {self.of:,} texts are put all the same, for the verdict rests on them"


@dataclass(frozen=True)
class Closed:
    """The model is done."""

    model: str
    pairs: Sequence[Pair]
    findings: Sequence[Finding]


Event = Opened | Judged | Progressed | LeftOut | Overdue | Closed

Listener = Callable[[Event], None]
"""Who is told; called from several threads when several models are run at a time."""
