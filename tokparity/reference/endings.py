"""The best paths through all endings of a stretch of text, each remembered: words end alike more often than not.

The best path of a text is the best of: a piece that the text begins with, and the best path of the rest. So the rests
are worked out from the shortest to the longest, and "ation", once done, is done for every word that ends so. Scores are
summed in 64 bits from the end, which is not how engines sum them; so each path is remembered with its reach.
"""

from __future__ import annotations

from math import inf

from tokparity.behaviour import Behaviour
from tokparity.reference.lattice import PREFIX_ONLY, Lattice
from tokparity.reference.unknown import Fallback

_ENTRIES = 1 << 17
_UNIT = {32: 2.0**-24, 64: 2.0**-52}
"""By how much an addition may err, relative to the sum: half a unit in the last place; in 64 bits a whole one, because
the sums from the end err as well."""
ROOM = 1.01
"""How much larger the sum of the scores before may be than it is known to be."""

Remembered = tuple[tuple[int, ...], tuple[float, ...], float, float, *tuple[float, ...]]
"""A path: (ids, the score of each piece, total score, reach), and of an ending two numbers more.

It is the best one on top of any sum of a smaller magnitude than its reach, rounded at each addition. Plain tuples, as a
hundred thousand are made for each megabyte, and the garbage collector lets go of those that hold nothing but numbers.
"""
Ending = tuple[tuple[int, ...], tuple[float, ...], float, float, float, float]
"""As Remembered, then margin, by how much the total beats the second best; depth, which no partial sum along
these paths, nor at any position in between, exceeds in magnitude."""

_END: Ending = ((), (), 0.0, inf, inf, 0.0)


class Endings:
    """The best path of each ending of each text that was asked for, up to a number; then it starts again."""

    def __init__(self, lattice: Lattice, behaviour: Behaviour, fallback: Fallback) -> None:
        self._lattice = lattice
        self._fallback = fallback
        self._error = 1.1 * ROOM * _UNIT[behaviour.score_bits]
        # No sum may come near the limit at which sums are rebased.
        self._limit = inf if behaviour.rebase_below is None else -0.9999 * behaviour.rebase_below / ROOM
        # A step up lets partial sums exceed the total; twice, as a step down has to take it back.
        self._up = 2 * max(0.0, lattice.best_score)
        self.known: dict[str, Ending] = {}

    def __call__(self, text: str) -> Ending:
        """The best path of the whole text, which must be short: every ending of it is remembered."""
        known = self.known
        if len(known) > _ENTRIES:
            known.clear()
        size = len(text)
        behind, totals = [_END] * (size + 1), [0.0] * (size + 1)  # the best path from each position, and its score
        for start in range(size - 1, -1, -1):
            ending = text[start:]
            found = known.get(ending)
            if found is None:
                found = known[ending] = self._find(text, start, behind, totals)
            behind[start] = found
            totals[start] = found[2]
        return behind[0]

    def _find(self, text: str, start: int, behind: list[Ending], totals: list[float]) -> Ending:
        """The best path from a position, given those from all later ones.

        Each addition on either of two paths may err, and a decision by more than that stands, however large the sum of
        what stands before the text, as long as that is within reach.
        """
        get, unknown_score = self._lattice.table.get, self._lattice.unknown_score
        alone = get(text[start], PREFIX_ONLY)
        known_alone = alone != PREFIX_ONLY
        best = second = -inf
        chosen = start + 1
        for end in range(start + 1, len(totals)):
            score = get(text[start:end])
            if score is None:
                break
            total = score + totals[end]
            if total > best:
                second, best, chosen = best, total, end
            elif total > second:
                second = total
        if not known_alone:
            alone = unknown_score
            total = alone + totals[start + 1]
            if total > best:
                second, best, chosen = best, total, start + 1
            elif total > second:
                second = total
        piece, rest = text[start:chosen], behind[chosen]
        known = self._lattice.ids.get(piece)
        steps = (alone if chosen == start + 1 else get(piece, 0.0), *rest[1])
        margin = min(best - second, rest[4])
        depth = abs(alone) + self._up + behind[start + 1][5]
        reach = min(margin / (self._error * (len(text) - start + len(steps))), self._limit) - depth
        return (
            (*(tuple(self._fallback(piece)) if known is None else (known,)), *rest[0]),
            steps,
            best,
            reach,
            margin,
            depth,
        )
