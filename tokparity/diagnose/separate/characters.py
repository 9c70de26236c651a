"""Characters to try: some of every class, and the neighbors of a given one."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache, lru_cache

from tokparity.diagnose.limits.texts import CONFIRMING, PER_CLASS
from tokparity.diagnose.separate.classes import ABOVE, CharacterClass, classes
from tokparity.diagnose.tokens import FIRST, FIRST_OTHER

_LOOKED_AT = (
    range(0x600), range(0x600, 0x3000, 5), range(0x2000, 0x2070), range(0x3000, 0xF900, 53), range(0xF900, 0x10000, 3),
    range(0x10300, 0x10500, 4), range(0x10500, 0x1F000, 97), range(0x1F000, 0x1FB00, 3), range(0x20000, 0x30010, 997),
    range(0xE0000, 0xE01F0, 7), (0x1F3FB, 0x1F3FC, 0x1F3FD, 0x1F3FE, 0x1F3FF, 0xFE0E, 0xFE0F, 0xF0000, 0x10FFFD),
)  # fmt: skip
"""Code points from which some of every class are taken: where there is much of one sort, few."""

_APART = (0x180B, 0x180F, 0xE0100)
"""Variation selectors of all blocks: who knows some of them knows those of one block, mostly."""


@cache
def _every() -> Sequence[str]:
    points = [point for run in _LOOKED_AT for point in run]
    return [chr(point) for point in points if not 0xD800 <= point < 0xE000]


@lru_cache(256)  # more than there are classes with a name
def _held(one: CharacterClass) -> Sequence[str]:
    return [c for c in _every() if one.holds(c)]


def members(one: CharacterClass) -> list[str]:
    """Some characters of a class, wherever they stand."""
    found = _held(one)
    return random.Random(0).sample(found, min(CONFIRMING, len(found)))


@cache
def universe() -> Sequence[str]:
    """Some characters of every class, all of ASCII, and the edges of UTF-8's lengths."""
    rng = random.Random(0)
    found = {chr(point) for point in (*range(1, 128), *_APART)}
    found.update(chr(point + step) for point in ABOVE for step in (0, 1))
    for one in classes():
        held = _held(one)
        found.update(rng.sample(held, min(PER_CLASS, len(held))))
    for first in (FIRST, FIRST_OTHER):
        found.update(map(chr, range(first, first + 2 * PER_CLASS)))
    return tuple(sorted(found))


def near(character: str) -> list[str]:
    """The characters around one: what tells whether a range of code points does the same."""
    point = ord(character)
    if "\udc80" <= character <= "\udcff":  # a byte that is not UTF-8, and so are these
        return [chr(other) for other in range(0xDC80, 0xDD00) if other != point]
    steps = {step * sign for step in (*range(1, 17), 32, 64, 128, 256) for sign in (1, -1)}
    return [chr(point + s) for s in sorted(steps) if 0 < point + s < 0x110000 and not 0xD800 <= point + s < 0xE000]
