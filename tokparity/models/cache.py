"""Where tokparity keeps what it fetched or wrote for itself."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from uuid import uuid4

from tokparity.errors import UsageError


def location(part: str) -> Path:
    """A folder of the user's cache, whether it is there or not; the variable TOKPARITY_CACHE moves the cache."""
    import platformdirs

    return Path(os.environ.get("TOKPARITY_CACHE") or platformdirs.user_cache_dir("tokparity", appauthor=False)) / part


def directory(part: str) -> Path:
    """A folder of the user's cache, made if need be."""
    found = location(part)
    try:
        found.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(
            f"the cache {str(found)!r} can't be made: {error.strerror or error}",
            "set TOKPARITY_CACHE to another folder",
        ) from error
    return found


def sha256(path: Path) -> str:
    """SHA-256 of a file, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def put(path: Path, data: bytes) -> None:
    """Write a file so that it appears whole or not at all, also with several processes at it."""
    temporary = path.with_name(f".{path.name}.{uuid4().hex}")
    try:
        temporary.write_bytes(data)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)  # there is none left unless the disk was full
