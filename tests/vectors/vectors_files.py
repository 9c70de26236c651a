"""Vectors for tests: those of small-spm, stored or made anew by the command."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache
from pathlib import Path

from tokparity.vectors.file import read
from tokparity.vectors.model import Vectors

ROOT = Path(__file__).parents[2]
STORED = ROOT / "vectors"
MODEL = "small-spm"


def made(folder: Path, seed: int) -> Path:
    """The file that `tokparity vectors` writes, with this seed of Python's hashes."""
    command = [sys.executable, "-m", "tokparity", "vectors", MODEL, "-o", str(folder)]
    subprocess.run(command, check=True, capture_output=True, env=os.environ | {"PYTHONHASHSEED": str(seed)})
    return folder / f"{MODEL}.vectors.json"


def small_path() -> Path:
    """The stored file of small-spm."""
    return STORED / f"{MODEL}.vectors.json"


@cache
def small() -> Vectors:
    """The stored vectors of small-spm."""
    return read(small_path())
