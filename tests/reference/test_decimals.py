"""Scores read from decimal digits as the library reads them."""

from __future__ import annotations

import json

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tokenizers import Tokenizer

from tokparity.reference.decimals import divided


@given(st.floats(-100, 0).map(lambda value: round(value, 12)))
def test_few_digits_are_exact(value: float) -> None:
    """Up to 15 digits nothing is rounded twice."""
    assert value == divided(value)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_many_digits_are_nearly_exact(value: float) -> None:
    """At most two units in the last place away, for numbers of any size that is normal."""
    assume(abs(value) > 1e-290)
    assert pytest.approx(value, rel=5e-16, abs=0.0) == divided(value)


@pytest.mark.parametrize("count", range(1, 30))
def test_ties_fall_as_in_the_library(count: int) -> None:
    """Pieces whose order is a tie, but for the scores' last digit."""
    scores = [("<unk>", 0.0), ("-", -5.129043102264404), ("---", -12.130167007446289)]
    model = {"type": "Unigram", "unk_id": 0, "vocab": scores, "byte_fallback": False}
    library = Tokenizer.from_str(json.dumps({"version": "1.0", "added_tokens": [], "model": model}))
    best, ends = [0.0] + [float("-inf")] * count, [0] * (count + 1)
    for start in range(count):
        for piece, score in scores[1:]:
            end = start + len(piece)
            if end <= count and best[start] + divided(score) > best[end]:
                best[end], ends[end] = best[start] + divided(score), start
    expected: list[int] = []
    end = count
    while end:
        expected.insert(0, end - ends[end])
        end = ends[end]
    assert expected == [len(token) for token in library.encode("-" * count).tokens]
