"""Vectors for tests: those of small-spm, which are in the repository."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from tokparity.vectors.file import read
from tokparity.vectors.model import Vectors

ROOT = Path(__file__).parents[2]
STORED = ROOT / "vectors"
SMALL = STORED / "small-spm.vectors.json"


@cache
def small() -> Vectors:
    """The vectors of small-spm."""
    return read(SMALL)
