"""Conditions on texts or words that separate those with a fault from those without."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby, islice
from math import inf

from tokparity.diagnose.limits.families import FEWEST_FOR_A_NUMBER, SORTS
from tokparity.diagnose.separate.classes import IS_SPECIAL, classes
from tokparity.diagnose.separate.features import IN_A_STRING, Feature, at_places, separate


@dataclass(frozen=True)
class Place:
    """A text with its flags, or one word of it, which may be the first or the last."""

    text: str
    add_special: bool
    parse_special: bool
    first: bool = True
    last: bool = True
    ids: int = 0
    """How many ids are right for it, where that is known."""


Condition = Feature[Place]
"""Some places; its words follow "but only"."""

MEASURES: Mapping[str, Callable[[str], int]] = {
    "characters": len,
    "bytes": lambda text: len(text.encode("utf-8", "surrogateescape")),
}
OF_A_PLACE: Mapping[str, Callable[[Place], int]] = {
    "characters": lambda place: MEASURES["characters"](place.text),
    "bytes": lambda place: MEASURES["bytes"](place.text),
    "expected ids": lambda place: place.ids,
    "words between white space": lambda place: len(place.text.split()),
    "lines": lambda place: place.text.count("\n") + 1,
    "special tokens": lambda place: sum(map(IS_SPECIAL.holds, place.text)),
    "equal characters in a row": lambda place: max((sum(1 for _ in run) for _, run in groupby(place.text)), default=0),
}
"""What a place has a number of, the plainest first."""

_FLAGS: Mapping[str, Callable[[Place], bool]] = {
    "where special tokens are parsed": lambda place: place.parse_special,
    "where special tokens are not parsed": lambda place: not place.parse_special,
    "where special tokens are added around the text": lambda place: place.add_special,
    "where no special tokens are added around the text": lambda place: not place.add_special,
}
_ORDER: Mapping[str, Callable[[Place], bool]] = {
    "in the first of a text's {}": lambda place: place.first,
    "in all of a text's {} but the first": lambda place: not place.first,
    "in the last of a text's {}": lambda place: place.last,
    "in all of a text's {} but the last": lambda place: not place.last,
}


def conditions(nouns: str, shown: Sequence[Place], spared: Sequence[Place]) -> Iterator[Condition]:
    """The conditions that hold for all that is `shown` and for nothing that is `spared`, the plainest ones first.

    `nouns` are what the places are called: "texts", "words".
    """

    plain = {says.format(nouns): holds for says, holds in {**_FLAGS, **_ORDER}.items()}
    yield from separate(shown, spared, (Feature(says, holds) for says, holds in plain.items()))
    for unit in OF_A_PLACE:
        with_it, without = _lengths(unit, shown), _lengths(unit, spared)
        if min(with_it) > max(without):
            gap = f", and not of at most {max(without):,}" if min(with_it) - max(without) > 1 else ""
            says = f"in {nouns} of {min(with_it):,} {unit} or more{gap}"
            yield Condition(says, partial(_is_within, unit, min(with_it), inf))
        elif max(with_it) < min(without):
            gap = f", and not of {min(without):,} or more" if min(without) - max(with_it) > 1 else ""
            says = f"in {nouns} of at most {max(with_it):,} {unit}{gap}"
            yield Condition(says, partial(_is_within, unit, 0, max(with_it)))
        elif min(with_it) == max(with_it) not in without and len(shown) >= FEWEST_FOR_A_NUMBER:
            says = f"in {nouns} of exactly {with_it[0]:,} {unit}"
            yield Condition(says, partial(_is_within, unit, with_it[0], with_it[0]))
    sorts = ((one.says, one.holds) for one in classes())
    places = {f"in {nouns} {where}": has for where, has in IN_A_STRING.items()}
    yield from islice(separate(shown, spared, at_places(places, sorts, _spelled)), SORTS)


def _spelled(place: Place) -> tuple[str, ...]:
    return (place.text,)


def between(unit: str, shown: Sequence[Place], spared: Sequence[Place]) -> range:
    """The lengths for which it is unknown whether they fail; empty if length does not matter."""
    with_it, without = _lengths(unit, shown), _lengths(unit, spared)
    if min(with_it) > max(without):
        return range(max(without) + 1, min(with_it))
    return range(max(with_it) + 1, min(without)) if max(with_it) < min(without) else range(0)


def _lengths(unit: str, places: Sequence[Place]) -> list[int]:
    return [OF_A_PLACE[unit](place) for place in places]


def _is_within(unit: str, least: float, most: float, place: Place) -> bool:
    return least <= OF_A_PLACE[unit](place) <= most
