"""Algorithms that work as they should, on a vocabulary that was read wrongly."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from tokparity.behaviour import Behaviour, Segment
from tokparity.quirk import Derived, Place
from tokparity.vocabulary import AddedToken, Kind, Vocabulary

Change = Callable[[Vocabulary], Vocabulary]
"""What the engine takes the vocabulary for."""

Made = TypeVar("Made")


@dataclass(frozen=True)
class SeenAs:
    """What a field of `Behaviour` does with a vocabulary (segment, match_added), done with a changed one."""

    inner: Callable[..., Any]
    change: Change

    def __call__(self, vocabulary: Vocabulary, *rest: Any) -> Any:
        return self.inner(made_once(vocabulary, self.change), *rest)


_KEPT_PIECES = 400_000
"""In the vocabularies of which something is kept: a search runs each change beside hundreds of other quirks."""

_kept: dict[tuple[int, Callable[[Vocabulary], Any]], tuple[Vocabulary, Any]] = {}
"""By a vocabulary's `id`, with that vocabulary, so that no other one gets its `id`."""


def made_once(vocabulary: Vocabulary, make: Callable[[Vocabulary], Made]) -> Made:
    """What `make` makes of a vocabulary, or made of it not long ago."""
    key = id(vocabulary), make
    found = _kept.pop(key, None) or (vocabulary, make(vocabulary))
    _kept[key] = found  # the latest used comes last
    while len(_kept) > 1 and sum(len(of) for of, _ in _kept.values()) > _KEPT_PIECES:
        del _kept[next(iter(_kept))]
    made: Made = found[1]
    return made


@dataclass(frozen=True)
class KindsAs:
    """The vocabulary with other kinds: (kind, piece) -> kind."""

    change: Callable[[Kind, bytes], Kind]

    def __call__(self, vocabulary: Vocabulary) -> Vocabulary:
        return replace(vocabulary, kinds=tuple(map(self.change, vocabulary.kinds, vocabulary.pieces)))


@dataclass(frozen=True)
class AddedAs:
    """The vocabulary with added tokens changed; None: the token is gone."""

    change: Callable[[AddedToken], AddedToken | None]

    def __call__(self, vocabulary: Vocabulary) -> Vocabulary:
        return replace(vocabulary, added=tuple(filter(None, map(self.change, vocabulary.added))))


def algorithm(segment: Any) -> Segment:
    """The algorithm below whatever was put around it."""
    while hasattr(segment, "inner"):
        segment = segment.inner
    return segment  # type: ignore[no-any-return]


def segments_as(number: int, change: Change, *algorithms: Segment) -> Derived:
    """A `derive` for the field segment: these algorithms see the changed vocabulary, others don't care."""

    def make(behaviour: Behaviour) -> object:
        segment = behaviour.segment
        return SeenAs(segment, change) if algorithm(segment) in algorithms else segment

    return Derived(Place.BEFORE, number, make)


def matches_as(number: int, change: Change) -> Derived:
    """A `derive` for the field match_added: added tokens are looked for as the changed vocabulary lists them."""
    return Derived(Place.BEFORE, number, lambda behaviour: SeenAs(behaviour.match_added, change))


def added_as(number: int, change: Callable[[AddedToken], AddedToken | None]) -> Derived:
    """A `derive` for the field match_added: each added token is taken for what it is changed to."""
    return matches_as(number, AddedAs(change))
