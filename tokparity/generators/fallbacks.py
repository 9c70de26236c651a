"""What no piece covers: pieces cut inside a character, unknown characters in a row, invalid bytes, beside pieces."""

from __future__ import annotations

import random
from collections.abc import Callable

from tokparity.generators import Draw
from tokparity.generators.characters import (
    DIGITS,
    LETTERS,
    MARKS,
    SYMBOLS,
    UNUSUAL,
    any_code_point,
    few,
    number,
    of,
    pick,
)
from tokparity.generators.subject import Subject

NAME = "fallbacks"
TITLE = "pieces cut inside a character, unknown characters, invalid bytes, beside pieces"

_INVALID = (
    b"\x80", b"\xff", b"\xfe", b"\xc0\x80", b"\xc1\xbf", b"\xc3", b"\xe2\x82", b"\xe0\x80\xaf", b"\xed\xa0\x80",
    b"\xed\xbf\xbf", b"\xf0\x9f\x98", b"\xf0\x80\x80\xaf", b"\xf4\x90\x80\x80", b"\xf8\x88\x80\x80\x80",
    b"\xe2\x28\xa1",    b"\xbf\xbf", b"\xed\xa0\xbd\xed\xb8\x80", b"\xc3\x28", b"\x00", b"\xf5",
)  # fmt: skip

_LOOK_ALIKES = (
    b"<0x0A>", b"<0x41>", b"<0xE2>", b"<unk>", b"[UNK]", b"##", b"##s", b"\xe2\x96\x81", b"\xc4\xa0", b"\xc4\x8a",
    b"</w>",    b"\xe2\x81\x87", b"\xef\xbf\xbd", b" \xe2\x81\x87 ",
)  # fmt: skip
"""What tokenizers write when they mean something else, spelled out in the text."""

Part = Callable[[random.Random], bytes]


def prepare(subject: Subject) -> Draw:
    """Two to six parts, of which the first is beyond the vocabulary; one in six texts is not UTF-8."""
    words = subject.words
    wide = tuple(word for word in words if max(word) >= 0x80) or ("é".encode(), "世".encode(), "😀".encode())

    def unknown(rng: random.Random) -> bytes:
        """One to four characters, hardly any of which a model knows."""
        ranges = pick(rng, (LETTERS, MARKS, DIGITS, SYMBOLS, UNUSUAL))
        return "".join(
            of(rng, ranges) if rng.random() < 0.6 else any_code_point(rng) for _ in range(few(rng, 4))
        ).encode()

    def cut(rng: random.Random) -> bytes:
        piece = pick(rng, wide)
        at = number(rng, 1, len(piece))
        return piece[:at] if rng.random() < 0.5 else piece[at:]

    def invalid(rng: random.Random) -> bytes:
        return pick(rng, _INVALID) * few(rng, 2)

    valid: tuple[Part, ...] = (unknown, unknown, lambda rng: pick(rng, _LOOK_ALIKES))
    broken: tuple[Part, ...] = (cut, invalid, unknown)
    known: tuple[Part, ...] = (lambda rng: pick(rng, words), lambda rng: pick(rng, (b" ", b"a", b"\n", b"  ")))

    def draw(rng: random.Random, index: int) -> bytes:
        strange = broken if index % 6 == 0 else valid
        parts = [pick(rng, strange)(rng)]
        for _ in range(few(rng, 6) - 1):
            part = pick(rng, strange if rng.random() < 0.5 else known)(rng)
            parts.insert(number(rng, 0, len(parts)), part)
        return b"".join(parts)

    return draw
