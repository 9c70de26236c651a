"""What is said of how many cases a finding is about."""

from __future__ import annotations

import pytest

from reports import mismatch
from tokparity.finding import Finding


@pytest.mark.parametrize(
    ("mismatches", "unexamined", "told"),
    [
        (1, 0, "1 case"),
        (2, 0, "2 cases"),
        (2, 1, "at least 2 cases; 1 more of the same kind was only counted: its cause may be this one or another"),
        (0, 0, "0 cases: it shows only in texts that were shortened from other mismatches"),
    ],
)
def test_cases_are_told(mismatches: int, unexamined: int, told: str) -> None:
    """A cause that came to light when a mismatch of another cause was shortened has none of its own."""
    found = Finding("x", "m", "e", "o", "verified", mismatch(b"a"), mismatches, unexamined=unexamined)
    assert found.cases == told
