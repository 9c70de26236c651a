"""A quirk: one thing an engine does differently, as one field of Behaviour and the value it has there."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass, replace

from tokparity.behaviour import Behaviour
from tokparity.vocabulary import Vocabulary


@dataclass(frozen=True)
class Witness:
    """A toy model and a text on which the quirk shows."""

    vocabulary: Vocabulary
    behaviour: Behaviour
    text: bytes
    add_special: bool = False
    parse_special: bool = False


@dataclass(frozen=True)
class Quirk:
    """A known way to be wrong (or merely different), written so that it can be run.

    `name` is a predicate about an engine and the name of the file. `value` is put in `field`; a callable
    `derive` instead gives the value from the Behaviour that is flipped (for quirks that wrap what is there).
    """

    name: str
    title: str
    symptom: str
    cause: str
    fix: str
    field: str
    value: object = None
    links: tuple[str, ...] = ()
    derive: Callable[[Behaviour], object] | None = None
    witness: Callable[[], Witness] | None = dataclasses.field(default=None, compare=False)

    def flip(self, behaviour: Behaviour) -> Behaviour:
        """The behaviour of an engine that has this quirk; equal to `behaviour` where the quirk changes nothing."""
        value = self.derive(behaviour) if self.derive else self.value
        return replace(behaviour, **{self.field: value})  # type: ignore[arg-type]

    @property
    def stands_for_crash(self) -> bool:
        """Whether an engine with this quirk dies on some texts, which is what the names of such quirks begin with."""
        return self.name.startswith("aborts_")
