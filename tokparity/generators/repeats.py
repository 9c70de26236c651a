"""A short text many times over: long words, long sums, deep queues; up to 8,000 characters, most far fewer."""

from __future__ import annotations

import random

from tokparity.generators import Draw
from tokparity.generators.characters import LETTERS, SPACES, of, pick
from tokparity.generators.subject import Subject

NAME = "repeats"
TITLE = "a short text many times over"

_LONGEST = 8000


def prepare(subject: Subject) -> Draw:
    """Lengths go by powers of two, the long ones seldom."""
    words = subject.words

    def draw(rng: random.Random, index: int) -> bytes:
        unit = pick(
            rng, (pick(rng, words), pick(rng, words), of(rng, LETTERS).encode(), pick(rng, SPACES).encode(), b"a")
        )
        if rng.random() < 0.3:
            unit += pick(rng, words)
        times = min(int(3 * 2 ** (11 * rng.random() ** 9)), max(_LONGEST // len(unit), 1))
        return pick(rng, (b"", b"", b"a", b" ")) + unit * times

    return draw
