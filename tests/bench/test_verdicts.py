"""Two laws: what is converted is right beside its source, and each key that is made wrong is called wrong and named.

Six kinds of models in CI; TOKPARITY_QUALITY=long takes all known models.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from benchmarks.verdicts import KINDS, of_known, right_files, wrong_files
from tests.rings import nightly_but
from tokparity import models

LONG = os.environ.get("TOKPARITY_QUALITY") == "long"
NAMES = models.names() if LONG else KINDS


@pytest.mark.parametrize("name", nightly_but(KINDS[:1], NAMES))
def test_what_is_converted_is_right(name: str, tmp_path: Path) -> None:
    """By us and as llama.cpp's converter does it, beside each format that can hold it."""
    assert models.load(name).is_here, "tokparity models pull"
    rows = list(right_files(name, of_known(name), tmp_path))
    assert rows
    assert [] == [row for row in rows if not row.is_so]


@pytest.mark.parametrize("name", nightly_but(KINDS[:1], NAMES))
def test_each_key_that_is_made_wrong_is_called_wrong(name: str, tmp_path: Path) -> None:
    """And named in the sentence, with a text that shows it or its effect."""
    assert models.load(name).is_here, "tokparity models pull"
    rows = list(wrong_files(name, of_known(name), tmp_path))
    assert 8 <= len(rows)
    assert [] == [row for row in rows if not row.is_so]
