"""What was put to all engines at once, and what is seen in it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from tokparity.case import AnyCase
from tokparity.report.tally import Tally

if TYPE_CHECKING:
    from tokparity.engines.results import Results


@dataclass(frozen=True)
class Batch:
    """Cases whose questions are of one kind with the same flags, and each engine's results on them.

    `times` says of each text how often it is to be counted; once where it says nothing.
    """

    cases: Sequence[AnyCase]
    results: Mapping[str, Results]
    times: Sequence[int] = ()

    def count(self, places: Collection[int]) -> int:
        """How many cases those at these places count as."""
        return sum(self.times[place] for place in places) if self.times else len(places)


class Sighting(NamedTuple):
    """A mismatch that is not written out: the case's place in its batch, the engine, who judges, and its kind.

    Many thousands may be of one kind, of which few are kept.
    """

    place: int
    engine: str
    oracle: str
    kind: str


@dataclass(frozen=True)
class Judgment:
    """What one engine did on a batch."""

    tally: Tally
    sightings: Sequence[Sighting]
