"""Every code point up to U+10FFFF: alone, after a space, between letters, doubled."""

from __future__ import annotations

import random
from collections.abc import Iterator

from tokparity.generators import Draw
from tokparity.generators.characters import permuted, scalar
from tokparity.generators.subject import Subject

NAME = "code_points"
TITLE = "every code point, alone and in simple surroundings"

_ALL = 0x10F800
_COMMON = 0x30000 - 0x800
"""Where nearly everything is that is assigned; three of four texts are from there."""

_FRAMES = ("{}", "{}", " {}", "a{}b", "{0}{0}", "{} a", "1{}2", "\n{}")


def prepare(subject: Subject) -> Draw:
    """One code point per text, in an order that soon visits all blocks."""

    def draw(rng: random.Random, index: int) -> bytes:
        character = scalar(permuted(index, _ALL) if index % 4 == 0 else permuted(index, _COMMON))
        return _FRAMES[index // 8 % len(_FRAMES)].format(character).encode()

    return draw


def in_order() -> Iterator[bytes]:
    """The code points below U+30000, each alone, as llama.cpp's script walks them (which skips unassigned ones)."""
    return (scalar(index).encode() for index in range(_COMMON))
