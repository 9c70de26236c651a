"""Short random texts: pieces of the vocabulary, letters of many scripts, marks, spaces, and bytes that are no UTF-8."""

from __future__ import annotations

import random
import sys
import unicodedata
from collections.abc import Callable, Iterator
from functools import cache

from tokparity.vocabulary import Vocabulary

NAME = "random_unicode"

_SPACES = (" ", "  ", "   ", "\n", "\t", "\r\n", "\u00a0", "\u3000", "\u2581")
_LONGEST_PIECE = 64  # bytes; longer pieces would crowd out everything else

Draw = Callable[[random.Random], bytes]


def texts(seed: int, vocabulary: Vocabulary) -> Iterator[bytes]:
    """An endless stream of texts of 1 to 12 parts; the same seed and vocabulary give the same texts."""
    rng = random.Random(f"{NAME}:{seed}")  # a str is hashed with SHA-512: the same on every platform
    pieces = [spell(piece) for piece in vocabulary.pieces if 0 < len(piece) <= _LONGEST_PIECE] or [b"a"]
    draws: tuple[Draw, ...] = (
        lambda r: r.choice(pieces),
        lambda r: r.choice(pieces),
        _letter,
        _ascii,
        _mark,
        lambda r: r.choice(_SPACES).encode(),
        _any_character,
    )
    while True:
        parts = [rng.choice(draws)(rng) for _ in range(rng.randint(1, 12))]
        if rng.random() < 0.02:
            parts.insert(rng.randint(0, len(parts)), rng.randbytes(rng.randint(1, 3)))
        yield b"".join(parts)


def spell(piece: bytes) -> bytes:
    """A piece as it may stand in a text: markers of spaces become spaces."""
    return piece.replace("▁".encode(), b" ").replace("Ġ".encode(), b" ").removeprefix(b"##")


@cache
def _characters(first_letter: str) -> tuple[str, ...]:
    """All characters whose category begins with `first_letter`."""
    return tuple(c for c in map(chr, range(0x80, sys.maxunicode + 1)) if unicodedata.category(c)[0] == first_letter)


def _letter(rng: random.Random) -> bytes:
    return rng.choice(_characters("L")).encode()


def _mark(rng: random.Random) -> bytes:
    return rng.choice(_characters("M")).encode()


def _ascii(rng: random.Random) -> bytes:
    return bytes(rng.choices(range(0x20, 0x7F), k=rng.randint(1, 5)))


def _any_character(rng: random.Random) -> bytes:
    code = rng.randrange(0x110000 - 0x800)
    return chr(code if code < 0xD800 else code + 0x800).encode()
