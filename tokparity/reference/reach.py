"""The best path through a word by itself, and its reach: how much may come before the word without changing it.

The best path of a text is the best of: a piece that the text begins with, and the best path of the rest. So the rests
are worked out from the shortest to the longest. Scores are summed in 64 bits from the end, which is not how engines sum
them; so each path is remembered with its reach.
"""

from __future__ import annotations

from math import inf

from tokparity.behaviour import Behaviour
from tokparity.reference.lattice import Lattice
from tokparity.reference.seams import LONGEST_REMEMBERED
from tokparity.reference.unknown import Fallback

_UNIT = {32: 2.0**-24, 64: 2.0**-52}
"""By how much an addition may err, relative to the sum: half a unit in the last place. In 64 bits it is a whole one,
because the sums from the end err, too."""
ROOM = 1.001
"""How much larger the sum of the scores before may be than it is known to be."""


Remembered = tuple[tuple[int, ...], tuple[float, ...], float, float]
"""A word's best path: (ids, the score of each piece, total score, reach).

It is the best one on top of any sum of a smaller magnitude than its reach, rounded at each addition. Plain tuples, as a
hundred thousand are made for each megabyte, and the garbage collector lets go of those that hold nothing but numbers.
"""


_TOO_LONG: Remembered = ((), (), 0.0, -inf)


class FreePaths:
    """The best paths of words that are taken by themselves; a long word has none, as its reach would be short."""

    def __init__(self, lattice: Lattice, behaviour: Behaviour, fallback: Fallback) -> None:
        self._lattice = lattice
        self._fallback = fallback
        self._alone = _Alone(lattice)
        self._error = 1.1 * ROOM * _UNIT[behaviour.score_bits]
        # No sum may come near the limit at which sums are rebased.
        self._limit = inf if behaviour.rebase_below is None else -0.9999 * behaviour.rebase_below / ROOM
        # A step up lets partial sums exceed the total; twice, as a step down has to take it back.
        self._up = 2 * max(0.0, lattice.best_score)

    def __call__(self, text: str) -> Remembered:
        """The best path. Each addition on either of two paths may err, and a decision by more than that stands."""
        size = start = len(text)
        if size > LONGEST_REMEMBERED:
            return _TOO_LONG
        get, alone = self._lattice.table.get, self._alone
        # For the rest from each position: its best total, by how much that beats the second best, and where its first
        # piece ends.
        totals, margins, ends = [0.0] * (size + 1), [inf] * size, [size] * size
        depth = size * self._up  # no sum along these paths, nor at any position in between, exceeds it in magnitude
        for character in reversed(text):
            end = chosen = start
            start -= 1
            score = alone[character]
            depth += abs(score)
            best = score + totals[chosen]
            second = -inf
            while end < size:
                end += 1
                longer = get(text[start:end])
                if longer is None:
                    break
                total = longer + totals[end]
                if total > best:
                    second = best
                    best = total
                    chosen = end
                elif total > second:
                    second = total
            totals[start] = best
            margins[start] = best - second
            ends[start] = chosen
        return self._read(text, totals[0], margins, ends, depth)

    def _read(self, text: str, total: float, margins: list[float], ends: list[int], depth: float) -> Remembered:
        """The path from the front, and its reach by the closest decision along it."""
        known_ids, table, alone = self._lattice.ids, self._lattice.table, self._alone
        ids: list[int] = []
        steps: list[float] = []
        margin = inf
        start, size = 0, len(text)
        while start < size:
            end = ends[start]
            piece = text[start:end]
            known = known_ids.get(piece)
            ids += (known,) if known is not None else self._fallback(piece)
            steps.append(table[piece] if end > start + 1 else alone[piece])
            if margins[start] < margin:
                margin = margins[start]
            start = end
        reach = min(margin / (self._error * (size + len(steps))), self._limit) - depth
        return tuple(ids), tuple(steps), total, reach


class _Alone(dict[str, float]):
    """The score of each character by itself, be it a piece or unknown."""

    def __init__(self, lattice: Lattice) -> None:
        super().__init__((character, lattice.table[character]) for character in lattice.characters)
        self._unknown_score = lattice.unknown_score

    def __missing__(self, character: str) -> float:
        return self._unknown_score
