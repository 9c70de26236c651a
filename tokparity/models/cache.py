"""Where tokparity keeps what it fetched or wrote for itself."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import secrets
import time
from pathlib import Path
from typing import NamedTuple

from tokparity.errors import UsageError

STAMPS = "stamps"
WORTH_A_STAMP = 1 << 20
"""Bytes; smaller files are hashed sooner than a stamp is looked up."""
_OWN = 0o755
"""Rights of the cache, whatever the umask is: nobody else writes there unless the user changes that."""
AT_REST = 2_000_000_000
"""Nanoseconds; the times of some file systems are as coarse as this."""


def location(part: str) -> Path:
    """A folder of the user's cache, whether it is there or not; the variable TOKPARITY_CACHE moves the cache."""
    import platformdirs

    return Path(os.environ.get("TOKPARITY_CACHE") or platformdirs.user_cache_dir("tokparity", appauthor=False)) / part


def directory(part: str) -> Path:
    """A folder of the user's cache, made if need be."""
    found = location(part)
    try:
        for folder in (found.parent, found):
            folder.mkdir(mode=_OWN, parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(
            f"the cache {str(found)!r} can't be made: {error.strerror or error}",
            "set TOKPARITY_CACHE to another folder",
        ) from error
    return found


def sha256(path: Path) -> str:
    """SHA-256 of a file, in hexadecimal; of a large one that has not changed since, it is remembered in the cache."""
    stamp = _stamp(path)
    noted = location(STAMPS) / f"{hashlib.sha256(os.fsencode(path.absolute())).hexdigest()[:32]}.json"
    if stamp.size >= WORTH_A_STAMP and (known := _recalled(noted, stamp)):
        return known
    with path.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if stamp.size >= WORTH_A_STAMP and stamp.is_at_rest() and stamp == _stamp(path):
        _note(noted, stamp, found)
    return found


class Stamp(NamedTuple):
    """What changes whenever a file's content does; times are in nanoseconds.

    Nobody can set the time of the last change (`changed`) at will, unlike that of the last modification.
    """

    size: int
    modified: int
    changed: int
    inode: int

    def is_at_rest(self) -> bool:
        """Whether the file changed so long ago that a change from now on shows in its times."""
        return time.time_ns() - max(self.modified, self.changed) > AT_REST


def _stamp(path: Path) -> Stamp:
    status = path.stat()
    return Stamp(status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)


def _recalled(noted: Path, stamp: Stamp) -> str | None:
    """The SHA-256 that was noted for this very stamp; a note that is damaged counts as none."""
    try:
        note = json.loads(noted.read_bytes())
    except (OSError, ValueError, RecursionError):
        return None
    known = note.get("sha256") if isinstance(note, dict) and note.get("stamp") == list(stamp) else None
    return known if isinstance(known, str) and re.fullmatch("[0-9a-f]{64}", known) else None


def _note(noted: Path, stamp: Stamp, found: str) -> None:
    # A cache that can't be written is done without: the file is hashed again next time.
    with contextlib.suppress(OSError, UsageError):
        put(directory(STAMPS) / noted.name, json.dumps({"stamp": stamp, "sha256": found}).encode())


def put(path: Path, data: bytes) -> None:
    """Write a file so that it appears whole or not at all, also with several processes and machines at it."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.{secrets.token_hex(8)}")
    try:
        temporary.write_bytes(data)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
