"""How far a run came: the texts of each model that were run, and the models and cases that were left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Put:
    """How many texts of a model were run, of how many (None: unknown), and how many of the probe texts.

    The probe texts include those of known and accepted findings.
    """

    model: str
    texts: int
    of: int | None = None
    probes: int = 0
    of_probes: int = 0

    @property
    def is_all(self) -> bool:
        """Whether every text was run, and none was left out."""
        return self.is_probed and (self.of is None or self.texts >= self.of)

    @property
    def is_probed(self) -> bool:
        """Whether all probe texts, on which a verdict rests, were run."""
        return self.probes >= self.of_probes

    @property
    def told(self) -> str:
        """How many of how many, in words."""
        return f"{self.texts:,} texts" if self.of is None else f"{self.texts:,} of {max(self.of, self.texts):,} texts"


@dataclass(frozen=True)
class Lost:
    """A model that could not be run, and why; the model is empty where an error came before any model."""

    model: str
    why: str

    def __str__(self) -> str:
        return f"{self.model} could not be run: {self.why}" if self.model else self.why


@dataclass(frozen=True)
class LeftOut:
    """Cases that an engine was not asked on a model, for one reason."""

    model: str
    engine: str
    why: str
    cases: int


def put_of(puts: Sequence[Put], model: str) -> Put | None:
    """How far a model was run; None if the report does not say."""
    return next((put for put in puts if put.model == model), None)


Extent = Put | Lost | LeftOut
"""What a report says of how far a run came."""

KINDS: Mapping[type[Put | Lost | LeftOut], str] = {Put: "put", Lost: "lost", LeftOut: "left out"}
"""The type of the record of each."""
