"""Short random texts: pieces of the vocabulary, characters of many scripts, marks, spaces, broken bytes."""

from __future__ import annotations

import random
from collections.abc import Callable

from tokparity.generators import Draw
from tokparity.generators.characters import (
    DIGITS,
    LETTERS,
    MARKS,
    PUNCTUATION,
    SPACES,
    SYMBOLS,
    UNUSUAL,
    any_code_point,
    few,
    number,
    of,
    pick,
)
from tokparity.generators.subject import Subject

NAME = "random_unicode"
TITLE = "pieces, characters of many scripts, marks, spaces and broken bytes, mixed"

Part = Callable[[random.Random], bytes]


def prepare(subject: Subject) -> Draw:
    """Texts of 1 to 12 parts."""
    words = subject.words
    parts: tuple[Part, ...] = (
        lambda r: pick(r, words),
        lambda r: pick(r, words),
        lambda r: "".join(of(r, LETTERS) for _ in range(few(r, 3))).encode(),
        lambda r: bytes(number(r, 0x20, 0x7E) for _ in range(few(r, 4))),
        lambda r: of(r, MARKS).encode(),
        lambda r: pick(r, SPACES).encode(),
        lambda r: of(r, pick(r, (DIGITS, PUNCTUATION, SYMBOLS, UNUSUAL))).encode(),
        lambda r: any_code_point(r).encode(),
    )

    def draw(rng: random.Random, index: int) -> bytes:
        found = [pick(rng, parts)(rng) for _ in range(few(rng, 12))]
        if rng.random() < 0.02:
            broken = bytes(number(rng, 0, 255) for _ in range(few(rng, 3)))
            found.insert(number(rng, 0, len(found)), broken)
        return b"".join(found)

    return draw
