"""Temporary folders that go with the process that made them; what a killed one left is swept by the next.

A folder is in use as long as somebody holds the lock in it, which the system gives back whatever ends the process.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import tempfile
import time
from pathlib import Path

PREFIX = "tokparity-"
_LOCK = ".in-use"
_SECONDS = 60.0
"""A folder younger than this may be about to be locked."""


class TemporaryFolder(tempfile.TemporaryDirectory[str]):
    """A folder in `within` (where temporary files go, if none is given), locked as long as it is in use."""

    def __init__(self, within: Path | None = None) -> None:
        sweep(within)
        super().__init__(prefix=PREFIX, dir=within)
        self._held = open(Path(self.name) / _LOCK, "wb")  # noqa: SIM115 (held until the folder is gone)
        with contextlib.suppress(OSError):  # a file system without locks is never swept
            fcntl.flock(self._held, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def cleanup(self) -> None:
        """Remove the folder and all in it."""
        self._held.close()
        super().cleanup()


def sweep(within: Path | None = None) -> None:
    """Remove the folders that processes left here which did not live to remove them."""
    with contextlib.suppress(OSError), os.scandir(within or tempfile.gettempdir()) as entries:
        for entry in entries:
            if entry.name.startswith(PREFIX) and _is_left(entry):
                shutil.rmtree(entry.path, ignore_errors=True)


def _is_left(entry: os.DirEntry[str]) -> bool:
    """Whether it is a folder of ours, of this user, that nobody uses any more."""
    try:
        status = entry.stat(follow_symlinks=False)
        if status.st_uid != os.getuid() or time.time() - status.st_mtime < _SECONDS:
            return False
        held = os.open(os.path.join(entry.path, _LOCK), os.O_RDWR | os.O_NOFOLLOW)
    except FileNotFoundError:  # none of ours, or its process was killed before it locked it: then it is empty
        with contextlib.suppress(OSError):
            os.rmdir(entry.path)
        return False
    except OSError:  # gone, or no folder
        return False
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    finally:
        os.close(held)
    return True
