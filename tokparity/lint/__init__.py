"""Lint: two sources of one model compared without text, and for each difference a text on which it shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tokparity.formats import Source
from tokparity.lint.charsmaps import applied_alike
from tokparity.lint.compare import differences
from tokparity.lint.difference import Difference
from tokparity.lint.pieces import share_of_common_pieces
from tokparity.lint.shortest_texts import Shown, shown

__all__ = ["SAME_MODEL", "Difference", "Lint", "Shown", "lint", "share_of_common_pieces"]

SAME_MODEL = 0.9
"""Share of pieces in common below which two sources are taken for different models."""


@dataclass(frozen=True)
class Lint:
    """What was found: the share of common pieces, and the differences, each with a text on which it shows (or none)."""

    common: float
    differences: Sequence[Shown]

    @property
    def same_model(self) -> bool:
        """Whether the sources have most of their pieces in common."""
        return self.common >= SAME_MODEL


def lint(left: Source, right: Source) -> Lint:
    """Compare two sources; of different models only that they are different is told in full."""
    left, right, beside = applied_alike(left, right)
    common = share_of_common_pieces(left, right)
    found = [*beside, *differences(left, right)]
    if common < SAME_MODEL:
        return Lint(common, [Shown(difference, None) for difference in found])
    return Lint(common, shown(left, right, found))
