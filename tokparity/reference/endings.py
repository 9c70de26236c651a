"""The best paths through all endings of a stretch of text, each remembered: words end alike more often than not.

The best path of a text is the best of: a piece that the text begins with, and the best path of the rest. So the rests
are worked out from the shortest to the longest, and "ation", once done, is done for every word that ends so. Scores are
summed in 64 bits from the end, which is not how engines sum them; what that means for a near tie is `ugm.py`'s matter.
"""

from __future__ import annotations

from math import inf
from typing import Any

from tokparity.reference.lattice import PREFIX_ONLY, Lattice

_ENTRIES = 1 << 17

Ending = tuple[float, float, float, str, float, Any]
"""(total score, margin, depth, first piece, its score, the Ending behind it).

`margin`: by how much the total beats that of the second best path of all. `depth`: no partial sum along these paths, nor
at any position in between, has a larger magnitude. A tuple, as a hundred thousand are made for each megabyte of text.
"""
_END: Ending = (0.0, inf, 0.0, "", 0.0, None)


class Endings:
    """The best path of each ending of each text that was asked for, up to a number; then it starts again."""

    def __init__(self, lattice: Lattice) -> None:
        self._lattice = lattice
        # A step up lets partial sums exceed the total; twice, as a step down has to take it back.
        self._up = 2 * max(0.0, lattice.best_score)
        self._known: dict[str, Ending] = {}

    def best(self, text: str) -> Ending:
        """The best path of the whole text, which must be short: every ending of it is remembered."""
        known = self._known
        if len(known) > _ENTRIES:
            known.clear()
        size = len(text)
        behind = [_END] * (size + 1)
        """The best path from each position."""
        for start in range(size - 1, -1, -1):
            ending = text[start:]
            found = known.get(ending)
            if found is None:
                found = known[ending] = self._find(text, start, behind)
            behind[start] = found
        return behind[0]

    def _find(self, text: str, start: int, behind: list[Ending]) -> Ending:
        """The best path from a position, given those from all later ones."""
        get, prefix_only = self._lattice.table.get, PREFIX_ONLY
        best = second = -inf
        chosen, step, rest = "", 0.0, _END
        for end in range(start + 1, len(behind)):
            piece = text[start:end]
            score = get(piece)
            if score is None:
                break
            if score == prefix_only:
                continue
            total = score + behind[end][0]
            if total > best:
                second, best, chosen, step, rest = best, total, piece, score, behind[end]
            elif total > second:
                second = total
        alone = get(text[start], prefix_only)
        after = behind[start + 1]
        if alone == prefix_only:
            alone = self._lattice.unknown_score
            total = alone + after[0]
            if total > best:
                second, best, chosen, step, rest = best, total, text[start], alone, after
            elif total > second:
                second = total
        return best, min(best - second, rest[1]), abs(alone) + self._up + after[2], chosen, step, rest


def path(ending: Ending) -> tuple[list[str], tuple[float, ...]]:
    """The pieces of the path, and the score of each."""
    pieces, scores = [], []
    while ending[3]:
        _, _, _, piece, score, ending = ending
        pieces.append(piece)
        scores.append(score)
    return pieces, tuple(scores)
