"""The loop that SPM and BPE share."""

from __future__ import annotations

import itertools
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokparity.reference.merging import merge, queue_of

RANKS = {"ab": 2.0, "bc": 1.0, "abc": 3.0, "aa": 1.0, "ca": 1.0, "aab": 0.0}


def rank(left: str, right: str) -> float:
    """The rank of a pair in a small fixed table."""
    return RANKS.get(left + right, inf)


def naive(symbols: list[str], rightmost_first: bool) -> list[str]:
    """Look at all pairs again after every merge, in the most literal way."""
    symbols = list(symbols)
    while True:
        pairs = [(rank(a, b), -i if rightmost_first else i) for i, (a, b) in enumerate(itertools.pairwise(symbols))]
        best, at = min(pairs, default=(inf, 0))
        if best == inf:
            return symbols
        i = abs(at)
        symbols[i : i + 2] = [symbols[i] + symbols[i + 1]]


@given(st.text("abc", max_size=120), st.booleans())
def test_merge_is_the_naive_algorithm(text: str, rightmost_first: bool) -> None:
    """Short and long inputs (a scan, a queue) give what looking at all pairs again and again gives."""
    assert naive(list(text), rightmost_first) == merge(list(text), rank, rightmost_first)


def test_best_pair_first_then_leftmost() -> None:
    """The better pair wins against the one further left; of equals the leftmost goes first."""
    assert ["a", "bc"] == merge(list("abc"), lambda left, right: {"ab": 2.0, "bc": 1.0}.get(left + right, inf))
    assert ["aa", "a"] == merge(list("aaa"), rank)
    assert ["a", "aa"] == merge(list("aaa"), rank, rightmost_first=True)


def test_listener_hears_every_merge_in_order() -> None:
    """Each merge is told as it is made: left, right, rank."""
    heard: list[tuple[str, str, float]] = []
    merge(list("aab"), rank, on_merge=lambda left, right, value: heard.append((left, right, value)))
    assert [("a", "a", 1.0), ("aa", "b", 0.0)] == heard


def test_queue_is_sorted_by_rank() -> None:
    """The pairs that could be merged first, best first, without those that never are."""
    assert [("bc", 1.0), ("ab", 2.0)] == queue_of(list("abcz"), rank)


@pytest.mark.parametrize("size", [0, 1])
def test_nothing_to_merge(size: int) -> None:
    """No symbol, or only one, stays as it is."""
    assert ["a"] * size == merge(["a"] * size, rank)
