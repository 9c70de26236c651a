"""The three rings: `nox -s tests` runs what has no mark, `nox -s nightly` and `nox -s weekly` what has theirs.

What is marked is one more case of something that an unmarked test shows; README.md has how that was measured.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def nightly_but(kept: Iterable[Any], rows: Iterable[Any]) -> list[Any]:
    """The rows for `parametrize`: those that are kept are run each time, the others every night."""
    kept, rows = list(kept), list(rows)
    assert [] == [row for row in kept if row not in rows]
    marks = [() if row in kept else pytest.mark.nightly for row in rows]
    return [
        pytest.param(*(row if isinstance(row, tuple) else (row,)), marks=mark)
        for row, mark in zip(rows, marks, strict=True)
    ]
