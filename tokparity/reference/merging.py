"""The loop that SPM and BPE share: merge the best adjacent pair until no pair can be merged.

Both orders (a piece's score, a merge's rank) are numbers where lower is better; of equals the leftmost goes first.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise, repeat
from math import inf
from operator import add

from tokparity.behaviour import Trace

Rank = Callable[[str, str], float]
"""(left symbol, right symbol) -> how early this pair is merged; infinity if never."""

Ranks = Callable[[list[str]], list[float]]
"""Symbols -> the ranks of all adjacent pairs."""

OnMerge = Callable[[str, str, float], None]
"""Told each merge as it is made: left, right, rank."""

_SHORT = 48
"""Up to this many symbols, looking at all pairs again beats keeping a queue."""


def by_spelling(ranks: Mapping[str, float]) -> tuple[Rank, Ranks]:
    """The ranks of pairs of which only matters what they spell together."""
    get = ranks.get
    return (
        lambda left, right: get(left + right, inf),
        lambda symbols: [*map(get, map(add, symbols, symbols[1:]), repeat(inf))],
    )


def by_pair(ranks: Mapping[tuple[str, str], float]) -> tuple[Rank, Ranks]:
    """The ranks of listed pairs."""
    get = ranks.get
    return lambda left, right: get((left, right), inf), lambda symbols: [*map(get, pairwise(symbols), repeat(inf))]


def merge_nothing(symbols: list[str], rank: Rank) -> list[str]:
    """The symbols as they are: what a model does whose list of merges is empty."""
    return symbols


def queue_of(symbols: Sequence[str], rank: Rank) -> list[tuple[str, float]]:
    """The pairs that could be merged first, best first: (what they spell together, rank)."""
    pairs = [(left + right, rank(left, right)) for left, right in pairwise(symbols)]
    return sorted((pair for pair in pairs if pair[1] != inf), key=lambda pair: pair[1])


def telling(trace: Trace | None, name: str, sign: int = 1) -> OnMerge | None:
    """A listener that passes each merge on to a trace, its rank under the name and sign that the model uses."""
    if trace is None:
        return None
    return lambda left, right, value: trace("merge", {"left": left, "right": right, name: sign * value})


def merge(
    symbols: list[str],
    rank: Rank,
    rightmost_first: bool = False,
    on_merge: OnMerge | None = None,
    ranks: Ranks | None = None,
) -> list[str]:
    """The symbols after all merges, in order. Linear passes for a word, a queue (n log n) for a long run.

    `ranks` is a quicker way to find the ranks of all pairs than asking `rank` one by one.
    """
    known = ranks(symbols) if ranks else [*map(rank, symbols, symbols[1:])]
    few = len(symbols) <= _SHORT
    return (_merge_few if few else _merge_many)(symbols, known, rank, rightmost_first, on_merge)


def _merge_few(
    symbols: list[str], ranks: list[float], rank: Rank, rightmost_first: bool, on_merge: OnMerge | None
) -> list[str]:
    symbols = symbols.copy()
    while ranks:
        best = min(ranks)
        if best == inf:
            break
        i = len(ranks) - 1 - ranks[::-1].index(best) if rightmost_first else ranks.index(best)
        if on_merge:
            on_merge(symbols[i], symbols[i + 1], best)
        del ranks[i]
        symbols[i] += symbols.pop(i + 1)
        if i > 0:
            ranks[i - 1] = rank(symbols[i - 1], symbols[i])
        if i < len(ranks):
            ranks[i] = rank(symbols[i], symbols[i + 1])
    return symbols


def _merge_many(
    symbols: list[str], ranks: list[float], rank: Rank, rightmost_first: bool, on_merge: OnMerge | None
) -> list[str]:
    """As `_merge_few`, with a queue of ranks and for each the places of its pairs.

    A merged symbol lives on at its left place; a pair's place is that of its left symbol.
    """
    symbols, size = symbols.copy(), len(symbols)
    ranks = [*ranks, inf]
    after, before = [*range(1, size + 1)], [*range(-1, size - 1)]
    sign = -1 if rightmost_first else 1
    places: dict[float, list[int]] = {}
    for i in range(size)[::sign]:
        if ranks[i] != inf:
            places.setdefault(ranks[i], []).append(sign * i)  # ascending, so it is a heap already
    queue = sorted(places)

    def rank_again(left: int, right: int) -> None:
        ranks[left] = value = rank(symbols[left], symbols[right])
        if value == inf:
            return
        if value not in places:
            places[value] = []
            heapq.heappush(queue, value)
        heapq.heappush(places[value], sign * left)

    while queue:
        value = queue[0]
        if not places[value]:
            del places[heapq.heappop(queue)]
            continue
        left = sign * heapq.heappop(places[value])
        if ranks[left] != value:
            continue  # one of the symbols was merged since
        right = after[left]
        if on_merge:
            on_merge(symbols[left], symbols[right], value)
        symbols[left] += symbols[right]
        symbols[right] = ""
        ranks[left] = ranks[right] = inf
        after[left] = after[right]
        if before[left] >= 0:
            rank_again(before[left], left)
        if after[left] < size:
            before[after[left]] = left
            rank_again(left, after[left])
    return [symbol for symbol in symbols if symbol]
