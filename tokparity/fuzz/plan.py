"""What to fuzz with, who is told, where a run stood, and what came of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from tokparity.finding import Finding, Mismatch
from tokparity.fuzz.coverage import Share
from tokparity.report.model import Ended, Pair

SECONDS = 60.0
"""How long to fuzz where neither --seconds nor --cases says."""


@dataclass(frozen=True)
class Options:
    """What to fuzz with. Empty `engines` and `generators` mean all; `cases` None means until the clock is over.

    `keep` is how many mismatches of a kind are stored in full.
    """

    engines: tuple[str, ...] = ()
    generators: tuple[str, ...] = ()
    cases: int | None = None
    seed: int = 0
    keep: int = 50
    timeout: float = 20.0


class Listener(Protocol):
    """Who is told how it goes, after each batch."""

    def started(self, model: str, engines: Sequence[str]) -> None:
        """The engines are open."""

    def advanced(self, cases: int, mismatches: int, groups: int, coverage: Callable[[], Mapping[str, Share]]) -> None:
        """The counts so far; `coverage` is worked out when it is called."""

    def shrinking(self, done: int, groups: int) -> None:
        """So many groups have their smallest text."""


@dataclass(frozen=True)
class State:
    """Where a run stood, to go on from: counts of each engine, and what the steering had learned."""

    cases: int
    rows: int
    tallies: Mapping[str, Mapping[str, int]]
    groups: Mapping[str, int]
    row_groups: Mapping[str, int]
    steering: Mapping[str, Any]
    coverage: Mapping[str, Any]
    mismatches: Sequence[Mismatch]


@dataclass(frozen=True)
class FuzzResult:
    """What came of it. `state` is what a later run needs to go on."""

    pairs: tuple[Pair, ...]
    findings: tuple[Finding, ...]
    coverage: Mapping[str, Share]
    ended: Ended
    state: Mapping[str, object]

    @property
    def new(self) -> tuple[Finding, ...]:
        """Findings that nobody has accepted."""
        return tuple(finding for finding in self.findings if not finding.accepted)
