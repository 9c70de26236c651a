"""Every piece of the vocabulary: alone, in surroundings, and several in a row.

As `vocab_words` and `random_vocab_words` of llama.cpp's `tests/test-tokenizer-random.py` describe it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from tokparity.generators import Draw
from tokparity.generators.characters import few, permuted, pick
from tokparity.generators.subject import Subject

NAME = "vocabulary_words"
TITLE = "every piece alone, and pieces in a row"

_FRAMES = ((b"", b""), (b" ", b""), (b"", b" "), (b"a", b"z"), (b"\n", b""), (b"", b"s"), (b"(", b")"), (b"1", b"2"))
_GAPS = (b" ", b" ", b" ", b"", b"\n", b"\r", b"\t", b", ")


def prepare(subject: Subject) -> Draw:
    """Half of the texts are one piece, by turns; half are up to 20 pieces."""
    words = subject.words

    def draw(rng: random.Random, index: int) -> bytes:
        if index % 2 == 0:
            before, after = pick(rng, _FRAMES)
            return before + words[permuted(index // 2, len(words))] + after
        parts: list[bytes] = []
        for _ in range(few(rng, 10)):
            parts.extend(pick(rng, words) for _ in range(few(rng, 3)))
            parts.append(pick(rng, _GAPS))
        return b"".join(parts)

    return draw


def in_order(subject: Subject) -> Iterator[bytes]:
    """Each piece alone, sorted, as llama.cpp's script walks them."""
    return iter(sorted(subject.words))
