"""Near ties and merges that stand in each other's way: runs of one character, paths of nearly equal score.

The last bit of a score, the side from which equal merges are made and the width of the sums all show here.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable

from tokparity.generators import Draw
from tokparity.generators.characters import few, number, permuted, pick
from tokparity.generators.piece_index import PieceIndex
from tokparity.generators.subject import Subject
from tokparity.vocabulary import Kind

NAME = "ties"
TITLE = "runs, paths of nearly equal score, merges that block each other"

_LOOKED_AT = 4000
"""Pieces among which near ties are searched for."""

_KEPT = 400

_RANKS_APART = 100_000
"""Pieces of which each is held against the next ones by rank; of larger vocabularies fewer of these."""

Make = Callable[[random.Random], bytes]


def prepare(subject: Subject) -> Draw:
    """By turns: a run, a near tie, merges that share a piece, pieces of equal score."""
    index = subject.index
    blocked = _blocked_merges(subject)
    ties = _near_ties(subject, index)
    runs = tuple(word for word in index.words if len(set(word)) == 1 and len(word) > 1) or index.words

    def tie(rng: random.Random) -> bytes:
        """The nearest come first, and most often."""
        text = ties[int(len(ties) * rng.random() ** 2)]
        return pick(rng, (b"", b" ", pick(rng, index.words))) + text * few(rng, 3)

    shapes: list[Make] = [lambda rng: _run(rng, runs), lambda rng: _alternating(rng, index)]
    shapes += [tie] if ties else []
    overlaps = _overlaps(subject)
    shapes += [lambda rng: pick(rng, (b"", b"", b" ", b"a")) + pick(rng, overlaps)] if overlaps else []
    shapes += [blocked, blocked] if blocked is not None else []

    def draw(rng: random.Random, place: int) -> bytes:
        return shapes[place % len(shapes)](rng)

    return draw


def _run(rng: random.Random, runs: tuple[bytes, ...]) -> bytes:
    """One character many times, where pieces of several lengths fit."""
    unit = (
        pick(rng, runs)[:1] if rng.random() < 0.6 else pick(rng, (b" ", b"\n", b"=", b"!", b"0", "世".encode(), b"a"))
    )
    if unit[0] >= 0x80 and len(unit) == 1:
        unit = "é".encode()
    length = number(rng, 2, 20) if rng.random() < 0.9 else number(rng, 20, 140)
    return pick(rng, (b"", b"", b"a", b" ")) + unit * length + pick(rng, (b"", b"", b"a", b" "))


def _alternating(rng: random.Random, index: PieceIndex) -> bytes:
    """Two pieces by turns: abab, abba."""
    one, two = pick(rng, index.words), pick(rng, index.words)
    return pick(rng, (one + two, one + two + two + one, one + one + two)) * few(rng, 4)


def _blocked_merges(subject: Subject) -> Make | None:
    """Texts a b c where both (a, b) and (b, c) are merges, so that one takes the b from the other."""
    merges = subject.vocabulary.merges
    if not merges:
        return None
    by_left: defaultdict[bytes, list[int]] = defaultdict(list)
    for i, (left, _) in enumerate(merges):
        by_left[left].append(i)

    def make(rng: random.Random) -> bytes:
        first = merges[permuted(number(rng, 0, 1 << 30), len(merges))]
        parts = [first[0], first[1]]
        for _ in range(few(rng, 3)):
            following = by_left.get(parts[-1])
            if following is None:
                break
            parts.append(merges[pick(rng, following)][1])
        return b"".join(map(subject.spell, parts))

    return make


def _near_ties(subject: Subject, index: PieceIndex) -> list[bytes]:
    """Texts that can be cut in two ways of nearly the same score, the nearest first; empty without scores."""
    vocabulary = subject.vocabulary
    if not vocabulary.scores:
        return []
    scores = {
        word: score
        for word, score, kind in zip(subject.spelled, vocabulary.scores, vocabulary.kinds, strict=True)
        if word and kind in (Kind.NORMAL, Kind.USER_DEFINED)
    }
    longer = [word for word in index.words if len(word) > 1 and word in scores]
    found: dict[bytes, float] = {}
    for place in range(min(len(longer), _LOOKED_AT)):
        word = longer[permuted(place, len(longer))]
        for cut in range(1, len(word)):
            left, right = word[:cut], word[cut:]
            if left not in scores or right not in scores:
                continue
            found[word] = min(found.get(word, 1e9), abs(scores[word] - scores[left] - scores[right]))
            for other in index.beginning(right)[:8]:
                rest = other[len(right) :]
                if rest in scores:
                    apart = abs(scores[word] + scores[rest] - scores[left] - scores.get(other, 1e9))
                    found[left + other] = min(found.get(left + other, 1e9), apart)
    return sorted(found, key=lambda text: (found[text], text))[:_KEPT]


def _overlaps(subject: Subject) -> list[bytes]:
    """Texts of two pieces of nearly the same rank that overlap: either can be taken, and the rank decides which."""
    ordered = _by_rank(subject)
    apart = max(1, min(8, _RANKS_APART // (len(ordered) + 1)))
    found: dict[bytes, None] = {}
    for place, one in enumerate(ordered):
        for other in ordered[place + 1 : place + 1 + apart]:
            for left, right in ((one, other), (other, one)):
                shared = _shared(left, right)
                if shared:
                    found[left + right[shared:]] = None
    return list(found)


def _by_rank(subject: Subject) -> list[bytes]:
    """The spelled pieces of two characters and more, by score or by the merge that makes them."""
    vocabulary = subject.vocabulary
    if vocabulary.scores:
        pairs = zip(subject.spelled, vocabulary.scores, vocabulary.kinds, strict=True)
        scored = [(score, word) for word, score, kind in pairs if len(word) > 1 and kind is Kind.NORMAL]
        return [word for _, word in sorted(scored)]
    return [subject.spell(left + right) for left, right in vocabulary.merges or ()]


def _shared(left: bytes, right: bytes) -> int:
    """How many bytes the longest end of one has that the other begins with, less than all of either."""
    sizes = range(min(len(left), len(right)) - 1, 0, -1)
    return next((size for size in sizes if left.endswith(right[:size])), 0)
