"""Texts that take seconds to compute, kept in the user's cache: one file for each corpus and each way to make it.

A file is the SHA-256 of what follows, a line end, and the texts as one JSON array. A damaged file is made anew, and a
cache that cannot be written is not used. The texts are the same in all cases.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable
from pathlib import Path

from tokparity.errors import UsageError

FOLDER = "corpora"
"""The folder of the cache that the files are in."""


def kept(name: str, made_by: bytes, make: Callable[[], Iterable[str]]) -> list[str]:
    """The texts of `make`, from the cache if they were made before.

    `made_by` is all that the texts depend on: the versions of libraries, the code itself. If it changes, the texts are
    made anew under another name.
    """
    from tokparity.models.cache import location

    path = location(FOLDER) / f"{name}-{hashlib.sha256(made_by).hexdigest()[:16]}.json"
    texts = _read(path)
    if texts is None:
        texts = list(make())
        _write(path, texts)
    return texts


def _read(path: Path) -> list[str] | None:
    """The texts of a file; None if it is not there, cannot be read, or is not what was written."""
    try:
        digest, _, data = path.read_bytes().partition(b"\n")
    except OSError:
        return None
    if hashlib.sha256(data).hexdigest().encode() != digest:
        return None
    texts: list[str] = json.loads(data)
    return texts


def _write(path: Path, texts: list[str]) -> None:
    from tokparity.models.cache import directory, put

    data = json.dumps(texts, ensure_ascii=False).encode("utf-8", "surrogatepass")
    try:
        directory(FOLDER)
        put(path, hashlib.sha256(data).hexdigest().encode() + b"\n" + data)
    except (OSError, UsageError):
        return  # the folder is read-only or the disk is full: that costs seconds the next time, and changes no text
