"""Models that look merges up by one number made of both ids, so that different pairs collide.

Pairs with the same number are confused: some merges are lost, and other pairs are merged into a wrong piece.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice, pairwise, product
from math import inf

from tokparity.behaviour import Merge
from tokparity.diagnose.base import Base
from tokparity.diagnose.families.merges.lost import spelled
from tokparity.diagnose.limits.families import PROBES
from tokparity.diagnose.limits.texts import KEY_WIDTHS
from tokparity.reference.merging import Rank

Pair = tuple[int, int, int, str]
"""(left id, right id, place in the list of merges, what it becomes)."""

Key = Callable[[int, int], int]
Table = Mapping[int, tuple[float, str]]
"""Number of a pair -> (rank, what it becomes)."""


def keyed(base: Base) -> Iterator[tuple[str, Merge, list[str]]]:
    """A description of how the model keys its merges, the model with such keys, and texts that this changes."""
    ids = base.vocabulary.spelled_ids
    if base.behaviour.continuing_prefix or base.behaviour.word_suffix:
        return
    pairs = [
        (ids[left], ids[right], place, left + right)
        for (left, right), place in base.vocabulary.merge_places.items()
        if left in ids and right in ids
    ]
    widest = (len(base.vocabulary.ids) - 1).bit_length() - 1
    for bits, (sign, ends) in product(range(widest, max(widest - KEY_WIDTHS, 1), -1), product("|+", ("first", "last"))):
        key: Key = partial(_joined if sign == "|" else _added, bits)
        in_order = pairs[::-1] if ends == "first" else pairs
        table = {key(a, b): (place, whole) for a, b, place, whole in in_order}
        says = f"that finds its merges by the number (left id << {bits}) {sign} right id, of equal ones the {ends}"
        yield says, _merging(table, key, ids), list(islice(_changed(pairs, key, bits, base), PROBES))


def _joined(bits: int, left: int, right: int) -> int:
    return left << bits | right


def _added(bits: int, left: int, right: int) -> int:
    return (left << bits) + right


def _changed(pairs: Sequence[Pair], key: Key, bits: int, base: Base) -> Iterator[str]:
    """Two pieces, one behind the other, that are merged for having the number of a pair of others."""
    pieces = {i: piece for piece, i in base.vocabulary.spelled_ids.items()}
    listed = {(left, right) for left, right, *_ in pairs}
    for left, right, *_ in pairs:
        for high in range(1, (len(base.vocabulary.ids) >> bits) + 1):
            other = right + (high << bits)
            for own in {left, left - high}:
                if key(own, other) == key(left, right) and {own, other} <= pieces.keys() and (own, other) not in listed:
                    yield spelled((pieces[own], pieces[other]), base)


def _merging(table: Table, key: Key, ids: Mapping[str, int]) -> Merge:
    def found(left: str, right: str) -> tuple[float, str]:
        if left not in ids or right not in ids:
            return inf, ""
        return table.get(key(ids[left], ids[right]), (inf, ""))

    def merged(symbols: list[str], rank: Rank) -> list[str]:
        symbols = symbols.copy()
        while len(symbols) > 1:
            at, (best, whole) = min(enumerate(found(*pair) for pair in pairwise(symbols)), key=lambda one: one[1][0])
            if best == inf:
                break
            symbols[at : at + 2] = [whole]
        return symbols

    return merged
