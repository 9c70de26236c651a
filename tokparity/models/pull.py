"""Fetches the vocabularies that come in the source distribution of llama-cpp-python.

pip fetches it, so it comes from wherever the user's pip is set up to fetch from. Of the archive only the files that a
known model names are read, and each must have the size and the SHA-256 that the model's file states.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
import tarfile
from collections.abc import Callable, Sequence
from pathlib import Path, PurePosixPath

from tokparity.engines.process.temporary import TemporaryFolder
from tokparity.errors import FormatError, TokparityError
from tokparity.models.cache import directory, put
from tokparity.models.record import PULLED, PulledFile

DISTRIBUTION = "llama-cpp-python"
VERSION = "0.3.36"
FOLDER = PurePosixPath("vendor/llama.cpp/models")
MAX_ARCHIVE_BYTES = 1 << 30
PIP_SECONDS = 900

Progress = Callable[[str, int, int], None]
"""Told (what is being done, how much of it is done, how much there is)."""


class PullError(TokparityError):
    """The source distribution could not be fetched."""

    exit_code = 3


def silent(what: str, done: int, total: int) -> None:
    """A Progress that tells nobody."""


def pull(files: Sequence[PulledFile], progress: Progress = silent) -> int:
    """Fetch the files that are not there yet (or damaged); how many that were."""
    wanted = {file.name: file for file in files if not file.is_sound}
    if not wanted:
        return 0
    for name in damaged(list(wanted.values())):
        progress(f"{name} is damaged and fetched again", 0, len(wanted))
    with TemporaryFolder(directory(PULLED)) as folder:
        progress(f"pip downloads {DISTRIBUTION} {VERSION}", 0, len(wanted))
        archive = _download(Path(folder))
        extract(archive, wanted, progress)
    return len(wanted)


def damaged(files: Sequence[PulledFile]) -> list[str]:
    """The names of the files that are there but not what they must be."""
    return [file.name for file in files if file.path.is_file() and not file.is_sound]


def origin(file: PulledFile) -> str:
    """Where a file is to be had by hand, as the end of a sentence."""
    return f"{FOLDER / file.name} in the source distribution of {DISTRIBUTION} {VERSION}"


def _download(folder: Path) -> Path:
    """The source distribution, fetched by pip; pip also builds its metadata, which takes most of the time."""
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
    command += ["--no-binary", ":all:", "--dest", str(folder), f"{DISTRIBUTION}=={VERSION}"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=PIP_SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise PullError(f"pip could not be run: {error}", "run `tokparity models pull` again when online") from error
    found = sorted(folder.glob("*.tar.gz"))
    if done.returncode or not found:
        last = (done.stderr.strip().splitlines() or ["no archive"])[-1]
        raise PullError(
            f"pip could not download {DISTRIBUTION}=={VERSION}: {last}", "run `tokparity models pull` again when online"
        )
    return found[0]


def extract(archive: Path, wanted: dict[str, PulledFile], progress: Progress = silent) -> None:
    """Put the wanted members of the archive into the cache; FormatError if one is missing or not what it must be."""
    if archive.stat().st_size > MAX_ARCHIVE_BYTES:
        raise FormatError(f"{archive.name} has {archive.stat().st_size} bytes", f"at most {MAX_ARCHIVE_BYTES} are read")
    left = dict(wanted)
    try:
        with tarfile.open(archive) as tar:
            for member in tar:
                name = _wanted_name(member, left)
                if name is not None:
                    file = left.pop(name)
                    put(file.path, _content(tar, member, file))
                    progress(name, len(wanted) - len(left), len(wanted))
                if not left:
                    return
    except (tarfile.TarError, EOFError, OSError) as error:
        raise FormatError(f"{archive.name} can't be unpacked: {error}", "run `tokparity models pull` again") from error
    raise FormatError(f"{archive.name} has no {FOLDER}/{min(left)}", f"expected {DISTRIBUTION} {VERSION}")


def _wanted_name(member: tarfile.TarInfo, wanted: dict[str, PulledFile]) -> str | None:
    """The file's name if the member is a plain file, in the folder of the models, and wanted."""
    parts = PurePosixPath(member.name).parts
    if not member.isfile() or PurePosixPath(*parts[1:-1]) != FOLDER or parts[-1] not in wanted:
        return None
    return parts[-1]


def _content(tar: tarfile.TarFile, member: tarfile.TarInfo, file: PulledFile) -> bytes:
    """The member's bytes, which are read only if there are as many as there must be."""
    opened = tar.extractfile(member)
    data = b"" if opened is None or member.size != file.size else opened.read(file.size)
    found = hashlib.sha256(data).hexdigest()
    if found != file.sha256:
        raise FormatError(
            f"{file.name} has {member.size} bytes and SHA-256 {found}, not {file.size} and {file.sha256}",
            f"it is not the file of {DISTRIBUTION} {VERSION}: run `tokparity models pull` again",
        )
    return data
