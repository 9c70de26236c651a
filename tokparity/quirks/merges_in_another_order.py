"""Merging in another order than the best pair first."""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from itertools import pairwise
from math import inf

from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.reference.merging import Rank, merge


def leftmost_first(symbols: list[str], rank: Rank) -> list[str]:
    """The leftmost pair that may be merged at all is merged first, whatever its rank."""
    return merge(symbols, lambda left, right: 0 if rank(left, right) < inf else inf)


def worst_first(symbols: list[str], rank: Rank) -> list[str]:
    """The pair with the worst rank is merged first."""
    return merge(symbols, lambda left, right: -value if (value := rank(left, right)) < inf else inf)


def in_rounds(symbols: list[str], rank: Rank) -> list[str]:
    """In each round all pairs are merged, from left to right, that are not worse than the two that overlap them."""
    while True:
        ranks = [inf, *(rank(left, right) for left, right in pairwise(symbols)), inf]
        merged, at = [], 0
        while at < len(symbols):
            before, own, behind = ranks[at : at + 3] if at + 1 < len(symbols) else (inf, inf, inf)
            joined = own < inf and before >= own <= behind
            merged.append("".join(symbols[at : at + 1 + joined]))
            at += 1 + joined
        if len(merged) == len(symbols):
            return symbols
        symbols = merged


def stale_pairs_too(symbols: list[str], rank: Rank) -> list[str]:
    """A pair that was queued is merged though its right symbol has grown meanwhile."""
    symbols, size = symbols.copy(), len(symbols)
    after, before = [*range(1, size + 1)], [*range(-1, size - 1)]
    queue: list[tuple[float, int, int]] = []

    def push(left: int, right: int) -> None:
        if left >= 0 and right < size and (value := rank(symbols[left], symbols[right])) < inf:
            heapq.heappush(queue, (value, left, right))

    for left in range(size - 1):
        push(left, left + 1)
    while queue:
        _, left, right = heapq.heappop(queue)
        if not symbols[left] or not symbols[right]:
            continue  # one was merged into another; that it may have grown is not looked at
        symbols[left] += symbols[right]
        symbols[right] = ""
        after[left] = after[right]
        if after[left] < size:
            before[after[left]] = left
        push(before[left], left)
        push(left, after[left])
    return [symbol for symbol in symbols if symbol]


@dataclass(frozen=True)
class LooksAgain:
    """Merges the best pair first; after a merge the pair with the left neighbor is ranked again only from some place
    on, counted in symbols."""

    left_from: float

    def __call__(self, symbols: list[str], rank: Rank) -> list[str]:
        symbols = symbols.copy()
        ranks = [rank(left, right) for left, right in pairwise(symbols)]
        while ranks and (best := min(ranks)) < inf:
            at = ranks.index(best)
            del ranks[at]
            symbols[at] += symbols.pop(at + 1)
            if at > 0:
                ranks[at - 1] = rank(symbols[at - 1], symbols[at]) if at - 1 >= self.left_from else inf
            if at < len(ranks):
                ranks[at] = rank(symbols[at], symbols[at + 1])
        return symbols


QUIRKS = (
    Quirk(
        name="merges_leftmost_pair_first",
        title="Merges from the left instead of by rank",
        symptom="In every language, words begin with longer pieces and end with shorter pieces than they should.",
        cause="The engine merges the first pair that may be merged, whatever its rank or score, and then the next "
        "pair after it.",
        fix="Of all adjacent pairs merge the one with the best rank or score; of equals the leftmost.",
        field="merge",
        value=leftmost_first,
        witness=lambda: toys.bpe("abc", "b+c a+b").on("abc"),
    ),
    Quirk(
        name="merges_worst_pair_first",
        title="Merges the worst pair first",
        symptom="Nearly all words are cut into rare pieces.",
        cause="The queue of pairs has the wrong order: the pair with the lowest score, or the highest rank, comes "
        "first.",
        fix="Merge the pair with the lowest rank, or the highest score, first.",
        field="merge",
        value=worst_first,
        witness=lambda: toys.bpe("abc", "a+b b+c").on("abc"),
    ),
    Quirk(
        name="merges_in_rounds",
        title="Merges many pairs at once, in rounds",
        symptom="A few words, mostly long ones or those of rare scripts, are cut at other places.",
        cause="Each round merges all pairs that are better than the pairs they overlap with, as parallel code does. "
        "A better pair that a merge has just made comes too late.",
        fix="Search the best pair again after each merge, or merge only pairs of the best rank in one round.",
        field="merge",
        value=in_rounds,
        witness=lambda: toys.bpe("abcd", "a+b ab+c c+d").on("abcd"),
    ),
    Quirk(
        name="never_reranks_left_pair",
        title="Does not rank the left pair again after a merge",
        symptom="Many words are cut into more pieces than they should be.",
        cause="After a merge the engine ranks only the pair with the right neighbor again. The pair with the left "
        "neighbor has changed, and is lost.",
        fix="Rank the pairs on both sides of the merged symbol again.",
        field="merge",
        value=LooksAgain(inf),
        witness=lambda: toys.bpe("abc", "b+c a+bc").on("abc"),
    ),
    Quirk(
        name="never_reranks_first_pair",
        title="Does not rank a word's first pair again after merges",
        symptom="The first letter of many words is a token of its own.",
        cause="After a merge the engine must rank the pair with the left neighbor again. Where that neighbor is the "
        "first symbol of the word, the engine does not: it tests > 0 instead of >= 0.",
        fix="Rank the pair with the left neighbor again wherever there is one.",
        field="merge",
        value=LooksAgain(1),
        witness=lambda: toys.bpe("abc", "b+c a+bc").on("abc"),
    ),
    Quirk(
        name="merges_stale_pairs",
        title="Merges pairs that changed after they were queued",
        symptom="Words fall apart into letters, bytes or unknown tokens: the merged text is not a piece.",
        cause="The engine uses a queue entry while both symbols exist. It does not check that one of them was "
        "merged meanwhile, so that the two spell another text.",
        fix="Keep the text or length with each entry, and drop the entry when that has changed.",
        field="merge",
        value=stale_pairs_too,
        witness=lambda: toys.bpe("abc", "b+c a+b").on("abc"),
    ),
)
