"""The loop that SPM and BPE share: merge the best adjacent pair until no pair can be merged.

Both orders (a piece's score, a merge's rank) are numbers where lower is better; of equals the leftmost goes first.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from itertools import pairwise
from math import inf

from tokparity.behaviour import Trace

Rank = Callable[[str, str], float]
"""(left symbol, right symbol) -> how early this pair is merged; infinity if never."""

OnMerge = Callable[[str, str, float], None]
"""Told each merge as it is made: left, right, rank."""

_SHORT = 48
"""Up to so many symbols, looking at all pairs again beats keeping a queue."""


def queue_of(symbols: Sequence[str], rank: Rank) -> list[tuple[str, float]]:
    """The pairs that could be merged first, best first: (what they spell together, rank)."""
    pairs = [(left + right, rank(left, right)) for left, right in pairwise(symbols)]
    return sorted((pair for pair in pairs if pair[1] != inf), key=lambda pair: pair[1])


def telling(trace: Trace | None, name: str, sign: int = 1) -> OnMerge | None:
    """A listener that passes each merge on to a trace, its rank under the name and sign that the model uses."""
    if trace is None:
        return None
    return lambda left, right, value: trace("merge", {"left": left, "right": right, name: sign * value})


def merge(symbols: list[str], rank: Rank, rightmost_first: bool = False, on_merge: OnMerge | None = None) -> list[str]:
    """The symbols after all merges, in order. Linear passes for a word, a queue (n log n) for a long run."""
    few = len(symbols) <= _SHORT
    return (_merge_few if few else _merge_many)(symbols, rank, rightmost_first, on_merge)


def _merge_few(symbols: list[str], rank: Rank, rightmost_first: bool, on_merge: OnMerge | None) -> list[str]:
    symbols = list(symbols)
    ranks = list(map(rank, symbols, symbols[1:]))
    while ranks:
        best = min(ranks)
        if best == inf:
            break
        i = len(ranks) - 1 - ranks[::-1].index(best) if rightmost_first else ranks.index(best)
        if on_merge:
            on_merge(symbols[i], symbols[i + 1], best)
        symbols[i : i + 2] = [symbols[i] + symbols[i + 1]]
        del ranks[i]
        if i > 0:
            ranks[i - 1] = rank(symbols[i - 1], symbols[i])
        if i < len(ranks):
            ranks[i] = rank(symbols[i], symbols[i + 1])
    return symbols


def _merge_many(symbols: list[str], rank: Rank, rightmost_first: bool, on_merge: OnMerge | None) -> list[str]:
    """As `_merge_few`, with a queue of candidate pairs; a merged symbol lives on at its left index."""
    symbols = list(symbols)
    after = list(range(1, len(symbols) + 1))
    before = list(range(-1, len(symbols) - 1))
    sign = -1 if rightmost_first else 1
    queue: list[tuple[float, int, int, int]] = []

    def offer(left: int, right: int) -> None:
        if left >= 0 and right < len(symbols):
            value = rank(symbols[left], symbols[right])
            if value != inf:
                heapq.heappush(queue, (value, sign * left, right, len(symbols[left]) + len(symbols[right])))

    for i in range(1, len(symbols)):
        offer(i - 1, i)
    while queue:
        value, signed_left, right, size = heapq.heappop(queue)
        left = sign * signed_left
        # A candidate is out of date when one of its symbols was merged since: then it is gone ("") or has grown.
        if not symbols[left] or not symbols[right] or len(symbols[left]) + len(symbols[right]) != size:
            continue
        if on_merge:
            on_merge(symbols[left], symbols[right], value)
        symbols[left] += symbols[right]
        symbols[right] = ""
        after[left] = after[right]
        if after[right] < len(symbols):
            before[after[right]] = left
        offer(before[left], left)
        offer(left, after[left])
    return [symbol for symbol in symbols if symbol]
