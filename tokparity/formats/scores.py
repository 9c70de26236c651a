"""Scores of pieces."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tokparity.errors import FormatError
from tokparity.formats.excerpt import excerpt

MAX_SCORE = 1e30
"""Largest magnitude of a score: the sum over a text of any length that is read stays a 32-bit number. Real ones stay
within a million."""


def check_scores(path: Path, scores: Sequence[float], where: str = "") -> None:
    """FormatError for a score that is not a number, infinite or so large that sums would be."""
    for i, score in enumerate(scores):
        # Written so that NaN, which is neither smaller nor larger than anything, does not pass.
        if not -MAX_SCORE <= score <= MAX_SCORE:
            raise FormatError(
                f"{path}: {where}the score of piece {i} is {excerpt(score)}",
                f"expected a number of at most {MAX_SCORE:g}: fetch or convert the file again",
            )
