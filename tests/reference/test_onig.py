"""Regular expressions from models' files."""

from __future__ import annotations

import time

import pytest

from tokparity.errors import FormatError
from tokparity.reference.onig import compile_onig
from tokparity.reference.splits import GPT2, Split


def test_a_pattern_without_end_is_given_up() -> None:
    """Two ways to match each letter: time doubles with each. An error names pattern and text."""
    started = time.monotonic()
    for work in (compile_onig("(?:a|aa)+$").words, Split("(?:a|aa)+$", "removed").split):
        with pytest.raises(FormatError, match=r"given up after 1 s on 'aaaa.*engine may hang"):
            list(work("a" * 60 + "!") if work.__name__ == "words" else work([("a" * 60 + "!", True)]))
    assert time.monotonic() - started < 60


def test_well_known_patterns_are_not_watched() -> None:
    """They and what repeats nothing take no time to speak of; the clock is looked at for all others."""
    limits = [compile_onig(pattern).seconds("abc") for pattern in (GPT2, "▁", r"\p{L}+x")]
    assert limits[:2] == [None, None]
    assert limits[2] is not None
