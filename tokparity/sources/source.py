"""What gives a session its cases."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from tokparity.case import AnyCase
from tokparity.sources.batches import batches


class CaseSource(Protocol):
    """Batches of cases, and what is learned of each when it has been judged, in the order in which they were given."""

    @property
    def count(self) -> int | None:
        """How many cases they are; None where nobody knows."""

    @property
    def is_whole(self) -> bool:
        """Whether all of it is put, however late it is: a verdict rests on it."""

    def batches(self) -> Iterator[Sequence[AnyCase]]:
        """Cases that can be put together: their questions are of one kind and have the same flags."""

    def learn(self, batch: Any, sightings: Sequence[Any]) -> None:
        """Take note of a finished `Batch` and of its mismatches (`Sighting`), which later texts may build on."""

    def notes(self) -> Mapping[str, str]:
        """What it would like to be told while it goes, by name."""


@dataclass(frozen=True)
class Listed:
    """Cases that are what they are, whatever comes of them."""

    cases: Iterable[AnyCase]
    count: int | None = None
    is_whole: bool = False

    def batches(self) -> Iterator[Sequence[AnyCase]]:
        """The cases, cut into batches."""
        return batches(self.cases)

    def learn(self, batch: Any, sightings: Sequence[Any]) -> None:
        """Nothing is learned."""

    def notes(self) -> Mapping[str, str]:
        """Nothing is told."""
        return {}
