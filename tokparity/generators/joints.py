"""Piece beside piece where the joint lies inside a third piece, and pieces that overlap: where algorithms part ways.

Greedy matching, the order of merges and the best path (Viterbi) each resolve such texts in their own way.
"""

from __future__ import annotations

import random

from tokparity.generators import Draw
from tokparity.generators.characters import few, number, pick
from tokparity.generators.piece_index import PieceIndex
from tokparity.generators.subject import Subject

NAME = "joints"
TITLE = "pieces whose joint lies inside a third piece, and pieces that overlap"


def prepare(subject: Subject) -> Draw:
    """Chains of two to five pieces."""
    index = subject.index
    longer = tuple(word for word in index.words if len(word) > 1) or index.words
    shapes = (_around, _overlap, _overlap, _prefixes)

    def draw(rng: random.Random, place: int) -> bytes:
        text = shapes[place % len(shapes)](rng, index, longer)
        for _ in range(few(rng, 3) - 1):
            text += pick(rng, shapes)(rng, index, longer)
        return b" " + text if rng.random() < 0.2 else text

    return draw


def _cut(rng: random.Random, piece: bytes) -> int:
    """A place inside a piece, between characters if there is one."""
    places = [i for i in range(1, len(piece)) if piece[i] & 0xC0 != 0x80]
    return pick(rng, places) if places else len(piece)


def _around(rng: random.Random, index: PieceIndex, longer: tuple[bytes, ...]) -> bytes:
    """A piece that ends as a third one begins, then a piece that begins as the third one ends."""
    third = pick(rng, longer)
    cut = _cut(rng, third)
    before = index.one_ending(rng, third[:cut]) or third[:cut]
    after = index.one_beginning(rng, third[cut:]) or third[cut:]
    return before + after


def _overlap(rng: random.Random, index: PieceIndex, longer: tuple[bytes, ...]) -> bytes:
    """Pieces of which each begins with the end of the one before: "abc", "bcd", "de" give "abcde"."""
    text = pick(rng, longer)
    last = text
    for _ in range(few(rng, 4)):
        tail = last[_cut(rng, last) :]
        found = index.one_beginning(rng, tail) if tail else None
        if found is None or found == tail:
            break
        text += found[len(tail) :]
        last = found
    return text


def _prefixes(rng: random.Random, index: PieceIndex, longer: tuple[bytes, ...]) -> bytes:
    """A piece without its last character, or with one too many: a longest match must let go again."""
    piece = pick(rng, longer)
    cut = _cut(rng, piece)
    more = index.one_beginning(rng, piece)
    text = more[: number(rng, len(piece), len(more))] if more and rng.random() < 0.5 else piece[:cut]
    return text + pick(rng, index.words)
