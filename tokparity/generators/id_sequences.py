"""Rows of ids for decoding: random ones, special ones, out of range, cut out of real ones."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from tokparity.generators.characters import few, number, permuted, pick
from tokparity.generators.subject import Subject
from tokparity.vocabulary import Kind

ORIGIN = "id_sequences"
"""How the origin of a row begins; this is not a generator of texts, so it has no NAME."""

Row = tuple[int, ...]
Draw = Callable[[random.Random, int, Sequence[Row]], Row]
"""(source of randomness, index of the row, rows that engines gave for texts) -> the row."""

_BEYOND = (-1, -2, 1 << 20, (1 << 31) - 1, -(1 << 31))


def prepare(subject: Subject) -> Draw:
    """Rows of 1 to 12 ids; one in sixty-four has an id out of range."""
    vocabulary = subject.vocabulary
    size = len(vocabulary)
    shared = vocabulary.shared_ids  # of two names an engine may give either
    marked = [i for i, kind in enumerate(vocabulary.kinds) if kind not in (Kind.NORMAL, Kind.BYTE, Kind.UNUSED)]
    special = tuple(i for i in dict.fromkeys([*vocabulary.special.values(), *marked[:200]]) if i not in shared) or (0,)
    bytes_ = tuple(i for i in vocabulary.byte_ids if i is not None) or (size - 1,)

    def one(rng: random.Random) -> int:
        way = rng.random()
        return pick(rng, special) if way < 0.15 else pick(rng, bytes_) if way < 0.4 else number(rng, 0, size - 1)

    def draw(rng: random.Random, index: int, rows: Sequence[Row]) -> Row:
        if index % 4 == 0:
            return (permuted(index // 4, size),)
        if index % 4 == 1 and rows:
            row = pick(rng, rows)
            start = number(rng, 0, max(len(row) - 1, 0))
            return row[start : number(rng, start + 1, max(len(row), start + 1))]
        row = tuple(one(rng) for _ in range(few(rng, 12)))
        if index % 64 == 2:
            row += (pick(rng, (*_BEYOND, size, size + 1)),)
        return row

    return draw
