"""Texts just around the lengths that buffers have: powers of two in characters, in bytes and, about, in ids."""

from __future__ import annotations

import random

from tokparity.generators import Draw
from tokparity.generators.characters import number, pick
from tokparity.generators.subject import Subject

NAME = "lengths"
TITLE = "texts around 2^k characters, bytes and ids long"

_POWERS = tuple(2**k for k in range(4, 14))
_SELDOM = 1024
"""From here on a text is made of one in eight draws: long ones cost as much as many short ones."""


def prepare(subject: Subject) -> Draw:
    """Words of the model, or one of them again and again, cut two before an edge to two behind it."""
    words = subject.words

    def draw(rng: random.Random, index: int) -> bytes:
        edges = _POWERS if rng.random() < 0.125 else tuple(power for power in _POWERS if power < _SELDOM)
        size = pick(rng, edges) + number(rng, -2, 2)
        unit = index % 3
        if unit == 2:  # a piece for each id, as far as they do not merge
            return b" ".join(pick(rng, words).strip() or b"a" for _ in range(min(size, _SELDOM + 2)))
        text = _long(rng, words, size)
        if unit == 1:
            return text[:size]
        return text.decode("utf-8", "ignore")[:size].encode()

    return draw


def _long(rng: random.Random, words: tuple[bytes, ...], size: int) -> bytes:
    """At least so many characters."""
    parts: list[bytes] = []
    left = size
    while left > 0:
        word = pick(rng, words) if rng.random() < 0.8 else pick(rng, (b" ", "é".encode(), "世".encode(), b"\n"))
        parts.append(word)
        left -= max(len(word.decode("utf-8", "ignore")), 1) if word.strip() else 1
    return b"".join(parts) + b"a" * size
