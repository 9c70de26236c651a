"""Candidates: what the engine may do otherwise, as flips of the behavior that belongs to a vocabulary."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tokparity.behaviour import Behaviour
from tokparity.diagnose.base import Base
from tokparity.quirk import SOURCE_DIFFERS, Quirk
from tokparity.quirks import flip_all


@dataclass(frozen=True)
class Candidate:
    """That the engine behaves as one of the bases with these flips. Base 0 is what the oracle reads."""

    base: int
    quirks: tuple[Quirk, ...]
    behaviour: Behaviour

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the flips, sorted; that the source differs counts as one."""
        source = [SOURCE_DIFFERS] if self.base else []
        return tuple(source + sorted(quirk.name for quirk in self.quirks))

    @property
    def flips(self) -> tuple[int, frozenset[str]]:
        """The base and the names of its flips, whatever model they are flips of."""
        return self.base, frozenset(quirk.name for quirk in self.quirks)


def flipped(bases: Sequence[Base], base: int, quirks: tuple[Quirk, ...] = ()) -> Candidate:
    """The hypothesis of these flips of a base."""
    return Candidate(base, quirks, flip_all(quirks, bases[base].behaviour))
