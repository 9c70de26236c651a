"""Every two ASCII characters with no, one or two spaces before, between and behind them.

As `ascii_lr_strip` of llama.cpp's `tests/test-tokenizer-random.py` describes it,
in an order that soon visits all parts.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from tokparity.generators import Draw
from tokparity.generators.characters import permuted
from tokparity.generators.subject import Subject

NAME = "ascii_spaces"
TITLE = "two ASCII characters with spaces on the left, between, on the right"

CHARACTERS = (*(bytes((code,)) for code in range(1, 0x80)), b"")
SPACES = (b"", b" ", b"  ")
SIZE = len(CHARACTERS) ** 2 * len(SPACES) ** 2 * 3


def prepare(subject: Subject) -> Draw:
    """The texts by their place in the enumeration."""

    def draw(rng: random.Random, index: int) -> bytes:
        return at(permuted(index, SIZE))

    return draw


def at(place: int) -> bytes:
    """The text at a place of the enumeration, 0 to SIZE - 1."""
    place, shape = divmod(place, 3)
    place, right = divmod(place, len(SPACES))
    place, left = divmod(place, len(SPACES))
    first, second = divmod(place, len(CHARACTERS))
    one, two, before, after = CHARACTERS[first], CHARACTERS[second], SPACES[left], SPACES[right]
    return (before + one + two + after, before + one + after + two, one + before + two + after)[shape]


def in_order() -> Iterator[bytes]:
    """The whole enumeration as llama.cpp's script walks it."""
    return map(at, range(SIZE))
