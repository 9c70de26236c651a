"""An apostrophe between every two ASCII characters, with no, one or two spaces around it.

As `apostrophe` of llama.cpp's `tests/test-tokenizer-random.py` describes it; then contractions of all kinds.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from tokparity.generators import Draw
from tokparity.generators.ascii_spaces import CHARACTERS, SIZE, SPACES
from tokparity.generators.characters import LETTERS, of, permuted, pick
from tokparity.generators.subject import Subject

NAME = "apostrophes"
TITLE = "apostrophes beside every ASCII character, and contractions"

_QUOTES = ("'", "'", "'", "’", "ʼ", "‘", "`", "´", "＇")
_ENDINGS = (
    "s",
    "t",
    "re",
    "ve",
    "m",
    "ll",
    "d",
    "S",
    "T",
    "RE",
    "VE",
    "M",
    "LL",
    "D",
    "Re",
    "lL",
    "ſ",
    "\u212a",
    "x",
    "",
)
_WORDS = ("I", "don", "we", "WE", "they", "é", "世", "1", " ", "", "\n", "_", "l")


def prepare(subject: Subject) -> Draw:
    """Two of three texts from the enumeration, one a contraction."""

    def draw(rng: random.Random, index: int) -> bytes:
        if index % 3:
            return at(permuted(index, SIZE))
        word = pick(rng, _WORDS) if rng.random() < 0.7 else of(rng, LETTERS)
        tail = pick(rng, ("", "", " ", "s", "'s", "\n", "1", of(rng, LETTERS)))
        return (word + pick(rng, _QUOTES) + pick(rng, _ENDINGS) + tail).encode()

    return draw


def at(place: int) -> bytes:
    """The text at a place of the enumeration, 0 to SIZE - 1."""
    place, shape = divmod(place, 3)
    place, right = divmod(place, len(SPACES))
    place, left = divmod(place, len(SPACES))
    first, second = divmod(place, len(CHARACTERS))
    one, two, quote = CHARACTERS[first], CHARACTERS[second], SPACES[left] + b"'" + SPACES[right]
    return (one + quote + two, one + two + quote + b"z", b"a" + quote + one + two)[shape]


def in_order() -> Iterator[bytes]:
    """The whole enumeration as llama.cpp's script walks it."""
    return map(at, range(SIZE))
