"""Batches: how many texts an engine is asked at once."""

from __future__ import annotations

import pytest

from tokparity.case import text_case
from tokparity.sources.batches import batches, batches_of_lines


@pytest.mark.parametrize(
    ("sizes", "expected", "of_lines"),
    [
        ([1] * 2001, [500, 500, 500, 500, 1], [2000, 1]),
        ([60_000] * 7, [3, 3, 1], [3, 3, 1]),
        ([5, 300_000, 5], [1, 1, 1], [1, 1, 1]),
        ([], [], []),
    ],
    ids=["many", "large", "one is longer than a batch", "none"],
)
def test_a_batch_has_500_texts_or_200_kb(sizes: list[int], expected: list[int], of_lines: list[int]) -> None:
    """A longer text is a batch of its own, nothing is left out, and the order stays."""
    texts = [b"%07d" % n + b"x" * size for n, size in enumerate(sizes)]
    found = [[case.question.text for case in batch] for batch in batches(text_case(text) for text in texts)]
    assert texts == [text for batch in found for text in batch]
    assert expected == [len(batch) for batch in found]
    lines = list(batches_of_lines({text: n for n, text in enumerate(texts, 1)}, "t.txt"))
    assert of_lines == [len(batch) for batch in lines]
