"""Pieces that overlap and score or rank nearly the same: "abc" where "ab" is hardly better than "bc".

Here it shows whether scores are held, summed or compared with too few digits, and whether ranks fit their type.
"""

from __future__ import annotations

import random
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from heapq import nsmallest
from math import inf
from operator import itemgetter

from tokparity.generators import Draw
from tokparity.generators.characters import few, pick
from tokparity.generators.subject import Subject
from tokparity.reference.ugm import ugm
from tokparity.vocabulary import Kind

NAME = "overlaps"
TITLE = "pieces that overlap and score or rank nearly the same"

_KEPT = 4000
"""Texts, those of the nearest scores first."""

_LOOKED_AT = 200_000
"""Cuts of pieces into two pieces that are looked at, evenly over the vocabulary."""

_CUTS = 5
"""Of a piece, about."""

_NEIGHBOURS = 2
"""For each piece, this many of the next better ones, and of the next worse, that overlap with it."""

Cut = tuple[float, bytes, bytes]
"""What decides on the piece (its score, its rank), and its two halves."""


def prepare(subject: Subject) -> Draw:
    """The nearest come first, and most often."""
    found = _nearest(subject) or list(subject.words)

    def draw(rng: random.Random, place: int) -> bytes:
        text = found[place % len(found)] if place % 2 else found[int(len(found) * rng.random() ** 2)]
        if rng.random() < 0.6:
            return pick(rng, (b"", b" ")) + text
        return pick(rng, subject.words) + text * few(rng, 2) + pick(rng, subject.words)

    return draw


def _nearest(subject: Subject) -> list[bytes]:
    """Texts a b c of which "ab" and "bc" are pieces that nearly tie, the nearest first."""
    by_right, by_left = defaultdict[bytes, list[Cut]](list), defaultdict[bytes, list[Cut]](list)
    for cut in _cuts(subject):
        by_right[cut[2]].append(cut)
        by_left[cut[1]].append(cut)
    found: dict[bytes, float] = {}
    for middle, ones in by_right.items():
        others = sorted(by_left.get(middle, ()))
        weights = list(map(itemgetter(0), others))
        for weight, a, _ in ones:
            place = bisect_left(weights, weight)
            for other, _, c in others[max(place - _NEIGHBOURS, 0) : place + _NEIGHBOURS]:
                text, apart = a + middle + c, abs(weight - other)
                if apart < found.get(text, inf) and (a != middle or c != middle):  # else there is one piece only
                    found[text] = apart
    return [text for _, text in nsmallest(_KEPT, zip(found.values(), found, strict=True))]


def _cuts(subject: Subject) -> Iterator[Cut]:
    """The pieces in two halves that are pieces as well, or that are merged into them."""
    merges = subject.vocabulary.merges
    if merges:
        step = len(merges) // _LOOKED_AT + 1
        spell = cache(subject.spell)
        for rank in range(0, len(merges), step):
            left, right = map(spell, merges[rank])
            yield rank, left, right
    elif subject.vocabulary.scores:
        yield from _scored(subject)


def _scored(subject: Subject) -> Iterator[Cut]:
    vocabulary = subject.vocabulary
    used = (Kind.NORMAL, Kind.USER_DEFINED)
    pieces = zip(subject.spelled, vocabulary.scores, vocabulary.kinds, strict=True)
    scores = {piece: score for piece, score, kind in pieces if piece and kind in used}
    sums = subject.behaviour.segment is ugm  # there a path's score decides, else that of the piece alone
    for piece in list(scores)[:: len(scores) * _CUTS // _LOOKED_AT + 1]:
        for at in range(1, len(piece)):
            left, right = piece[:at], piece[at:]
            if left in scores and right in scores:
                yield scores[piece] - (scores[left] + scores[right] if sums else 0.0), left, right
