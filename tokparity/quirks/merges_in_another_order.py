"""Merging in another order than the best pair first."""

from __future__ import annotations

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


QUIRKS = (
    Quirk(
        name="merges_leftmost_pair_first",
        title="Merges from the left instead of by rank",
        symptom="Words begin with longer pieces and end with shorter ones than they should, in every language.",
        cause="The first pair that may be merged at all is merged, whatever its rank or score, and the next one after "
        "it.",
        fix="Of all adjacent pairs merge the one with the best rank or score; of equals the leftmost.",
        field="merge",
        value=leftmost_first,
        witness=lambda: toys.bpe("abc", "b+c a+b").on("abc"),
    ),
    Quirk(
        name="merges_worst_pair_first",
        title="Merges the worst pair first",
        symptom="Nearly all words are cut into rare pieces.",
        cause="The queue of pairs is ordered the wrong way round: the pair with the lowest score, or the highest rank, "
        "comes first.",
        fix="Merge the pair with the lowest rank, or the highest score, first.",
        field="merge",
        value=worst_first,
        witness=lambda: toys.bpe("abc", "a+b b+c").on("abc"),
    ),
    Quirk(
        name="merges_in_rounds",
        title="Merges many pairs at once, in rounds",
        symptom="A few words, mostly long ones or those of rare scripts, are cut elsewhere.",
        cause="In each round all pairs are merged that are better than those they overlap with, as is done in parallel "
        "on many cores; a pair that a merge has just made, and that is better still, comes too late.",
        fix="Look for the best pair again after each merge, or merge only the pairs of the best rank in one round.",
        field="merge",
        value=in_rounds,
        witness=lambda: toys.bpe("abcd", "a+b ab+c c+d").on("abcd"),
    ),
)
