"""A quirk: one thing an engine does differently, as one field of `Behaviour` and the value it has there."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property

from tokparity.behaviour import Behaviour, Stage, stages
from tokparity.vocabulary import Vocabulary

SOURCE_DIFFERS = "source_differs"
"""Stands among the quirks of a finding where the engine obeys its own file, which is not what the oracle's says."""

Derive = Callable[[Behaviour], object]
"""Gives the value of a field from the `Behaviour` that is flipped."""


@dataclass(frozen=True)
class Witness:
    """A toy model and a text on which the quirk shows."""

    vocabulary: Vocabulary
    behaviour: Behaviour
    text: bytes
    add_special: bool = False
    parse_special: bool = False


class Place(IntEnum):
    """What a derived value does with the one that it is made of. Quirks of one field are applied in this order."""

    PART = 1
    """The stage itself is changed, or a part of it: a pattern, one normalizer of several, the algorithm."""
    BEFORE = 2
    """What the stage is given is changed before it does its own work."""
    AFTER = 3
    """What the stage gives is changed."""


@dataclass(frozen=True)
class Derived:
    """A value that is made of the one that is there, and where it stands among others that are made for one field.

    Those of one `place` are applied in the order of `number`. BEFORE and AFTER wrap what is there, so the lower number
    is closer to the stage's own work. Of several BEFORE it, the highest number sees the text first.
    """

    place: Place
    number: int
    make: Derive

    def __call__(self, behaviour: Behaviour) -> object:
        return self.make(behaviour)


@dataclass(frozen=True)
class Quirk:
    """A known way to be wrong (or merely different), written so that it can be run.

    `name` is a predicate about an engine. `value` is put in `field`; `derive` instead gives the value from the
    `Behaviour` that is flipped (for quirks that change or wrap what is there). `stands_for_crash`: an engine with this
    quirk dies on some texts.
    """

    name: str
    title: str
    symptom: str
    cause: str
    fix: str
    field: str
    value: object = None
    links: tuple[str, ...] = ()
    derive: Derived | None = None
    stands_for_crash: bool = False
    witness: Callable[[], Witness] | None = dataclasses.field(default=None, compare=False)

    def flip(self, behaviour: Behaviour) -> Behaviour:
        """The behavior of an engine that has this quirk; equal to `behaviour` where the quirk changes nothing."""
        value = self.derive(behaviour) if self.derive else self.value
        return _having(behaviour, self.field, value)

    @cached_property
    def shown(self) -> Witness | None:
        """What its witness says, made once."""
        return self.witness() if self.witness is not None else None

    @property
    def stage(self) -> Stage:
        """The stage that the quirk's field belongs to."""
        return stages()[self.field]

    @property
    def turn(self) -> tuple[int, ...]:
        """What quirks are sorted by before they are applied together; names have no say in it.

        Plain values go first, so that derived values see all other fields as the engine has them. Derived values
        follow, in the order of the fields in `Behaviour` (that of the stages), and in one field by place.
        """
        at = list(stages()).index(self.field)
        return (1, at, self.derive.place, self.derive.number) if self.derive else (0, at)


def _having(behaviour: Behaviour, name: str, value: object) -> Behaviour:
    """As `dataclasses.replace` of one field, in a tenth of the time: a search flips hundreds of thousands of times."""
    names, other = stages(), object.__new__(Behaviour)
    known = behaviour.__dict__  # with what was worked out of the fields, if it was asked for
    other.__dict__.update(known if len(known) == len(names) else {key: known[key] for key in names})
    other.__dict__[name] = value
    return other


def github(*paths: str) -> tuple[str, ...]:
    """Links to pages on GitHub, given as owner/repository/rest."""
    return tuple(f"https://github.com/{path}" for path in paths)
