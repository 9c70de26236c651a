"""Conditions on texts, or on words of texts: what tells those where something shows from those where it does not."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from math import inf

from tokparity.diagnose.separate.classes import classes

_CLASSES = 3
"""So many classes of characters are named for the same places."""


@dataclass(frozen=True)
class Place:
    """A text that is asked with these flags, or a word of it, which may be its first or its last."""

    text: str
    add_special: bool
    parse_special: bool
    first: bool = True
    last: bool = True


@dataclass(frozen=True)
class Condition:
    """Some places; `says` follows "but only"."""

    says: str
    holds: Callable[[Place], bool]


MEASURES: Mapping[str, Callable[[str], int]] = {
    "characters": len,
    "bytes": lambda text: len(text.encode("utf-8", "surrogateescape")),
}
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
_WHERE: Mapping[str, Callable[[Callable[[str], bool], str], bool]] = {
    "that contain {}": lambda holds, text: any(map(holds, text)),
    "of which each character is {}": lambda holds, text: bool(text) and all(map(holds, text)),
    "that begin with {}": lambda holds, text: bool(text) and holds(text[0]),
    "that end with {}": lambda holds, text: bool(text) and holds(text[-1]),
    "that do not contain {}": lambda holds, text: not any(map(holds, text)),
    "that do not begin with {}": lambda holds, text: not text or not holds(text[0]),
    "that do not end with {}": lambda holds, text: not text or not holds(text[-1]),
}


def conditions(nouns: str, shown: Sequence[Place], spared: Sequence[Place]) -> Iterator[Condition]:
    """The conditions that hold for all that is `shown` and for nothing that is `spared`, the plainest ones first.

    `nouns` are what the places are called: "texts", "words".
    """

    def tells(holds: Callable[[Place], bool]) -> bool:
        return all(map(holds, shown)) and not any(map(holds, spared))

    plain = {says.format(nouns): holds for says, holds in {**_FLAGS, **_ORDER}.items()}
    yield from (Condition(says, holds) for says, holds in plain.items() if tells(holds))
    for unit in MEASURES:
        with_it, without = _lengths(unit, shown), _lengths(unit, spared)
        if min(with_it) > max(without):
            gap = f", and not of at most {max(without):,}" if min(with_it) - max(without) > 1 else ""
            says = f"in {nouns} of {min(with_it):,} {unit} or more{gap}"
            yield Condition(says, partial(_is_within, unit, min(with_it), inf))
        elif max(with_it) < min(without):
            gap = f", and not of {min(without):,} or more" if min(without) - max(with_it) > 1 else ""
            says = f"in {nouns} of at most {max(with_it):,} {unit}{gap}"
            yield Condition(says, partial(_is_within, unit, 0, max(with_it)))
    of_classes = (
        Condition(f"in {nouns} {where.format(one.says)}", holds)
        for one in classes()
        for where, has in _WHERE.items()
        if tells(holds := lambda place, has=has, one=one: has(one.holds, place.text))
    )
    yield from islice(of_classes, _CLASSES)


def between(unit: str, shown: Sequence[Place], spared: Sequence[Place]) -> range:
    """The lengths of which it is not known whether they show it; empty where length does not tell."""
    with_it, without = _lengths(unit, shown), _lengths(unit, spared)
    if min(with_it) > max(without):
        return range(max(without) + 1, min(with_it))
    return range(max(with_it) + 1, min(without)) if max(with_it) < min(without) else range(0)


def _lengths(unit: str, places: Sequence[Place]) -> list[int]:
    return [MEASURES[unit](place.text) for place in places]


def _is_within(unit: str, least: float, most: float, place: Place) -> bool:
    return least <= MEASURES[unit](place.text) <= most
