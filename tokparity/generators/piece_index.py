"""Pieces found by how they begin and how they end."""

from __future__ import annotations

import random
from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from tokparity.generators.characters import pick


class PieceIndex:
    """The different spelled pieces of a model, sorted forwards and backwards."""

    def __init__(self, words: Sequence[bytes]) -> None:
        self.words = tuple(sorted(set(words)))
        self.known = frozenset(self.words)
        self._backwards = tuple(sorted(word[::-1] for word in self.words))

    def beginning(self, prefix: bytes) -> Sequence[bytes]:
        """The pieces that begin with `prefix`."""
        return _range(self.words, prefix)

    def one_beginning(self, rng: random.Random, prefix: bytes) -> bytes | None:
        """A piece that begins with `prefix`; None if there is none."""
        found = self.beginning(prefix)
        return pick(rng, found) if found else None

    def one_ending(self, rng: random.Random, suffix: bytes) -> bytes | None:
        """A piece that ends with `suffix`; None if there is none."""
        found = _range(self._backwards, suffix[::-1])
        return pick(rng, found)[::-1] if found else None


def _range(words: Sequence[bytes], prefix: bytes) -> Sequence[bytes]:
    size = len(prefix)
    start = bisect_left(words, prefix)
    return words[start : bisect_right(words, prefix, lo=start, key=lambda word: word[:size])]
