"""Learns what separates two sets: features, each with a description; only this module learns them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, TypeVar

T = TypeVar("T")

Holds = Callable[[str], bool]
"""Whether a character is of a class."""


@dataclass(frozen=True)
class Feature(Generic[T]):
    """Something that is so or not of a thing."""

    says: str
    holds: Callable[[T], bool]


def separate(yes: Iterable[T], no: Iterable[T], features: Iterable[Feature[T]]) -> Iterator[Feature[T]]:
    """The features that hold for all of one set and for nothing of the other, in their order."""
    these, others = list(yes), list(no)
    for one in features:
        if all(map(one.holds, these)) and not any(map(one.holds, others)):
            yield one


def at_places(
    places: Mapping[str, Callable[..., bool]],
    sorts: Iterable[tuple[str, Holds]],
    strings: Callable[[T], tuple[str, ...]],
) -> Iterator[Feature[T]]:
    """That a thing has a character of a sort in some place; `strings` is what a thing is spelled as.

    `places` say where, with a gap for the sort, and are asked with it and these strings.
    """
    for says, holds in sorts:
        for where, has in places.items():
            yield Feature(where.format(says), partial(_has, has, holds, strings))


def _has(has: Callable[..., bool], holds: Holds, strings: Callable[[Any], tuple[str, ...]], thing: Any) -> bool:
    return has(holds, *strings(thing))


IN_A_STRING: Mapping[str, Callable[[Holds, str], bool]] = {
    "that contain {}": lambda holds, text: any(map(holds, text)),
    "of which each character is {}": lambda holds, text: bool(text) and all(map(holds, text)),
    "that begin with {}": lambda holds, text: holds(text[:1] or "\0"),
    "that end with {}": lambda holds, text: holds(text[-1:] or "\0"),
    "that do not contain {}": lambda holds, text: not any(map(holds, text)),
    "that do not begin with {}": lambda holds, text: not holds(text[:1] or "\0"),
    "that do not end with {}": lambda holds, text: not holds(text[-1:] or "\0"),
}
"""Where a text or a word has a character of a class, or has none."""

IN_A_PIECE: Mapping[str, Callable[[Holds, str], bool]] = {
    "of one character, which is {}": lambda holds, text: len(text) == 1 and holds(text),
    "that begin with {}": lambda holds, text: holds(text[:1] or "\0"),
    "of several characters that begin with {}": lambda holds, text: len(text) > 1 and holds(text[0]),
    "that end with {}": lambda holds, text: holds(text[-1:] or "\0"),
    "of several characters that end with {}": lambda holds, text: len(text) > 1 and holds(text[-1]),
    "of which each character is {}": lambda holds, text: bool(text) and all(map(holds, text)),
    "of several characters of which each is {}": lambda holds, text: len(text) > 1 and all(map(holds, text)),
    "that contain {}": lambda holds, text: any(map(holds, text)),
    "of several characters that contain {}": lambda holds, text: len(text) > 1 and any(map(holds, text)),
}
"""Where a piece has one."""

IN_A_MERGE: Mapping[str, Callable[[Holds, str, str], bool]] = {
    "of {} with itself": lambda holds, left, right: left == right and len(left) == 1 and holds(left),
    "whose left half is {}": lambda holds, left, right: len(left) == 1 and holds(left),
    "whose right half is {}": lambda holds, left, right: len(right) == 1 and holds(right),
    "whose left half begins with {}": lambda holds, left, right: holds(left[:1] or "\0"),
    "whose left half ends with {}": lambda holds, left, right: holds(left[-1:] or "\0"),
    "whose right half begins with {}": lambda holds, left, right: holds(right[:1] or "\0"),
    "whose right half ends with {}": lambda holds, left, right: holds(right[-1:] or "\0"),
    "that make something with {}": lambda holds, left, right: any(map(holds, left + right)),
}
"""Where a merge has one."""
