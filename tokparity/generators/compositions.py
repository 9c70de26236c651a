"""Every canonical composition and decomposition of the installed Unicode data, alone and among other characters.

One in a thousand that a table of an engine lacks shows on no other text, so they are enumerated, not drawn.
"""

from __future__ import annotations

import random
import unicodedata
from functools import cache

from tokparity.generators import Draw
from tokparity.generators.characters import permuted, pick
from tokparity.generators.subject import Subject

NAME = "compositions"
TITLE = "every canonical composition and decomposition"

_HANGUL = range(0xAC00, 0xD7A4)
_HANGUL_STEP = 613  # prime, so that all first, middle and last letters come
_AROUND = ("", "", "a", " ", "\u0301", "\u0327", "é")


@cache
def _pairs() -> tuple[str, ...]:
    """Characters that decompose, but of the 11,172 Hangul syllables, whose rule is one, only some."""
    return tuple(
        character
        for character in map(chr, range(0x30000))
        if unicodedata.normalize("NFD", character) != character
        and (ord(character) not in _HANGUL or not (ord(character) - _HANGUL.start) % _HANGUL_STEP)
    )


def prepare(subject: Subject) -> Draw:
    """By turns composed, decomposed, and with marks in another order; several in a text, so that all are soon met."""
    pairs = _pairs()

    def one(rng: random.Random, place: int) -> str:
        character = pairs[permuted(place, len(pairs))]
        apart = unicodedata.normalize("NFD", character)
        return pick(rng, (character, apart, apart, apart[:1] + apart[:0:-1]))

    def draw(rng: random.Random, index: int) -> bytes:
        alone = index % 3 == 0
        count = 1 if alone else 6
        parts = [pick(rng, _AROUND) + one(rng, index * count + i) for i in range(count)]
        return (" ".join(parts) if index % 2 else "".join(parts)).encode()

    return draw
