"""Vectors for tests: of small-spm, made by the command, once for all tests of a process."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
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


@cache
def small_path() -> Path:
    """The file of small-spm."""
    return made(Path(tempfile.mkdtemp(prefix="vectors-")), 1)


@cache
def small() -> Vectors:
    """The vectors of small-spm."""
    return read(small_path())
