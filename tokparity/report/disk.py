"""Writes a report to a disk that may fill up, in a folder that may vanish, and keeps what was found."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from tokparity.errors import UnwritableError, UsageError
from tokparity.report.templates import SharedTemplates

MISMATCH = b'{"type": "mismatch", '
"""What the line of a mismatch begins with."""

_BUFFER = 1 << 18
"""Bytes of lines that are written at once, unless they are flushed before."""


class ReportFile:
    """A file that is written line by line, from any thread; once it could not be, it raises the same error again."""

    def __init__(self, path: Path) -> None:
        """Open it, or make it; UsageError where another command is writing to it."""
        self._path = path
        self._file = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o666), "r+b", _BUFFER)
        self._lock = threading.Lock()
        self._shared = SharedTemplates()
        self._error: UnwritableError | None = None
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._file.close()
            message = f"{str(path)!r} is being written to by another command"
            raise UsageError(message, "give another --out, or wait until that command ends") from None
        except OSError:  # a file system without locks
            return

    def cut(self, length: int) -> None:
        """Drop all beyond this many bytes, and go on there."""
        self._file.truncate(length)
        self._file.seek(length)

    def write(self, line: bytes) -> None:
        """Add a line; UnwritableError where it cannot be."""
        self._do(lambda: self._file.write(self._shared(line)))

    def flush(self) -> None:
        """Hand what was written to the operating system; UnwritableError where that cannot be."""
        self._do(self._flushed)

    def kept(self) -> str:
        """What can be found in it, in words for whoever ends the command in the middle."""
        with suppress(UnwritableError):
            self.flush()
        return f"the mismatches that were found until then, {_mismatches(self._path)}, are kept in {str(self._path)!r}"

    def close(self) -> None:
        """Flush and close."""
        self.flush()
        self._file.close()

    def _do(self, work: Callable[[], object]) -> None:
        with self._lock:
            if self._error is not None:
                raise self._error
            try:
                work()
            except OSError as error:
                kept = _mismatches(self._path)
                self._error = UnwritableError(
                    f"cannot write {str(self._path)!r}: {error.strerror}",
                    f"{kept} mismatches that were found before are kept in it; make room and run again",
                )
                raise self._error from error

    def _flushed(self) -> None:
        self._file.flush()
        if not self._is_there():
            self._error = self._removed()
            raise self._error

    def _is_there(self) -> bool:
        try:
            there = self._path.stat()
        except FileNotFoundError:
            return False
        ours = os.fstat(self._file.fileno())
        return (there.st_dev, there.st_ino) == (ours.st_dev, ours.st_ino)

    def _removed(self) -> UnwritableError:
        """Somebody removed or replaced it; its content is there as long as it is open, and is saved elsewhere."""
        message = f"{str(self._path)!r} was removed or replaced while it was written"
        try:
            number, copy = tempfile.mkstemp(prefix="tokparity-report-", suffix=".jsonl")
            with os.fdopen(number, "wb") as file:
                self._file.seek(0)
                shutil.copyfileobj(self._file, file)
        except OSError as error:
            return UnwritableError(
                message, f"the mismatches could not be copied to another place, either: {error.strerror}"
            )
        kept = _mismatches(Path(copy))
        return UnwritableError(message, f"{kept} mismatches that were found before are kept in {copy!r}; run again")


def _mismatches(path: Path) -> int:
    """How many whole ones a report holds."""
    try:
        with path.open("rb") as lines:
            return sum(line.startswith(MISMATCH) and line.endswith(b"\n") for line in lines)
    except OSError:
        return 0
