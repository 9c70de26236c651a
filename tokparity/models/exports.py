"""Exports in the user's cache: made once, whole, by one at a time, and made anew if they are not as they were written.

Beside each export's folder lie a record of the SHA-256 of its files and a lock. Where the cache can't be written,
exports are made in a temporary folder, which goes with the process.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import time
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path

from tokparity.engines.process.temporary import TemporaryFolder
from tokparity.errors import UsageError
from tokparity.models.cache import directory, location, put, sha256

EXPORTS = "exports"
LOCK_SECONDS = 60
"""For so long is waited for another that makes the same export. After that both make it, which is safe but slow."""

Writers = Mapping[str, Callable[[Path], None]]
"""The files of an export by name, each with what writes it to a path, whole or not at all."""


def exported(key: str, writers: Writers) -> Path:
    """The folder with these files in it, just as they were written; CannotExpressError is the writers' to raise."""
    try:
        return _kept(location(EXPORTS), key, writers)
    except (OSError, UsageError):
        return _elsewhere(key, writers)


def is_export(path: Path) -> bool:
    """Whether tokparity wrote the file for an engine; it may lie among the files that a model is compared with."""
    return path.is_relative_to(location(EXPORTS))


def _kept(root: Path, key: str, writers: Writers) -> Path:
    folder, record = root / key, root / f"{key}.json"
    if _is_sound(folder, record, writers):
        return folder
    directory(f"{EXPORTS}/{key}")
    with _locked(root / f"{key}.lock"):
        if not _is_sound(folder, record, writers):
            _make(folder, record, writers)
    return folder


def _make(folder: Path, record: Path, writers: Writers) -> None:
    for name, write in writers.items():
        write(folder / name)
    put(record, json.dumps({name: sha256(folder / name) for name in writers}).encode())


def _is_sound(folder: Path, record: Path, writers: Writers) -> bool:
    """Whether every file is there and has the content that was recorded when it was written."""
    try:
        recorded = json.loads(record.read_bytes())
        return isinstance(recorded, dict) and all(sha256(folder / name) == recorded.get(name) for name in writers)
    except (OSError, ValueError, RecursionError):  # no record, a damaged one, or a file that is gone
        return False


def _elsewhere(key: str, writers: Writers) -> Path:
    """The export in a folder of this process."""
    try:
        folder = Path(_temporary(os.getpid()).name) / key
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise UsageError(
            f"neither the cache nor a temporary folder can be written: {error.strerror or error}",
            "set TOKPARITY_CACHE or TMPDIR to a folder with room",
        ) from error
    record = folder.with_name(f"{key}.json")
    with _locked(folder.with_name(f"{key}.lock")):
        if not _is_sound(folder, record, writers):
            _make(folder, record, writers)
    return folder


@cache
def _temporary(process: int) -> TemporaryFolder:
    return TemporaryFolder()


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Keeps other threads and processes from making the same export meanwhile."""
    until = time.monotonic() + LOCK_SECONDS
    with path.open("ab") as file:
        while time.monotonic() < until:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                time.sleep(0.05)
            except OSError:  # a file system without locks
                break
        yield
