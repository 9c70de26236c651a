"""Candidates: a model's vocabulary and behavior with some quirks applied."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from tokparity.behaviour import Behaviour
from tokparity.diagnose.base import Base
from tokparity.diagnose.evidence import Observation
from tokparity.diagnose.hypothesis import OF_THE_MODEL
from tokparity.outcome import Outcome
from tokparity.quirk import SOURCE_DIFFERS, Quirk
from tokparity.quirks import flip_all


class Predictor(Protocol):
    """Runs candidates in one aspect; `bases` are what their flips belong to."""

    bases: Sequence[Base]

    def predict(self, hypothesis: Candidate, observation: Observation) -> Outcome | None:
        """What the candidate says that the engine answers; None where it cannot be run on this model."""
        ...


@dataclass(frozen=True)
class Candidate:
    """The hypothesis that the engine behaves as one of the bases with these flips. Base 0 is what the oracle reads."""

    base: int
    quirks: tuple[Quirk, ...]
    behaviour: Behaviour
    runs: Predictor = field(compare=False, repr=False)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the flips, sorted; that the source differs counts as one."""
        source = [SOURCE_DIFFERS] if self.base else []
        return tuple(source + sorted(quirk.name for quirk in self.quirks))

    @property
    def flips(self) -> tuple[int, frozenset[str]]:
        """The base and the names of its flips, whatever model they are flips of."""
        return self.base, frozenset(quirk.name for quirk in self.quirks)

    @property
    def sentence(self) -> str:
        """A clause about the answers."""
        return f"{OF_THE_MODEL}with {' and '.join(self.names)}"

    @property
    def probes(self) -> Sequence[str]:
        """The texts that show each flip on a toy."""
        shown = (quirk.witness() for quirk in self.quirks if quirk.witness is not None)
        return [witness.text.decode("utf-8", "surrogateescape") for witness in shown]

    @property
    def model(self) -> Base:
        """The model with the quirks of this candidate applied."""
        return Base(self.runs.bases[self.base].vocabulary, self.behaviour)

    def predict(self, seen: Observation) -> Outcome | None:
        """What the flipped model answers."""
        return self.runs.predict(self, seen)


def flipped(runs: Predictor, base: int, quirks: tuple[Quirk, ...] = ()) -> Candidate:
    """The candidate with these flips of a base."""
    return Candidate(base, quirks, flip_all(quirks, runs.bases[base].behaviour), runs)
