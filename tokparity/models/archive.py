"""The packages that files of models come from, and the clients of package registries that fetch them.

A client fetches from where the user has set it up to. No script of a package runs, except that pip asks a source
distribution for its metadata.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from tokparity.errors import TokparityError

SECONDS = 900
AGAIN = "run `tokparity models pull` again when online"
NO_NPM = "npm is not installed; install Node.js, which brings npm"
_PIP = ("-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps")


class PullError(TokparityError):
    """A package could not be fetched."""

    exit_code = 3


class UnavailableError(PullError):
    """A package could not be fetched by a client that tokparity does without, so a run of all models does as well."""


@dataclass(frozen=True)
class Archive:
    """A package of a registry at one version; `kind` is sdist, wheel or npm."""

    kind: str
    name: str
    version: str

    def __str__(self) -> str:
        words = {"sdist": "the source distribution of", "wheel": "the wheel of", "npm": "the npm package"}
        return f"{words[self.kind]} {self.name} {self.version}"

    @property
    def specifier(self) -> str:
        """The archive's name and version as its client spells them."""
        return f"{self.name}{'@' if self.kind == 'npm' else '=='}{self.version}"

    @property
    def is_optional(self) -> bool:
        """Whether a run of all known models is whole without it: npm is not part of a Python installation."""
        return self.kind == "npm"

    @property
    def folder(self) -> str:
        """The folder of its files in the cache; empty for the source distribution, whose files have names enough."""
        return "" if self.kind == "sdist" else f"{self.name.rpartition('/')[2]}-{self.version}"

    @property
    def obstacle(self) -> str:
        """Why this machine can't fetch the archive, and what to install; empty if it can."""
        return NO_NPM if self.kind == "npm" and shutil.which("npm") is None else ""

    def member(self, path: str) -> str | None:
        """The path of a file of the archive without the folder that all of them are in; None beside that folder."""
        if self.kind == "wheel":
            return path
        top, _, rest = path.partition("/")
        return rest if rest and top not in ("", ".", "..") else None


LLAMA_CPP = Archive("sdist", "llama-cpp-python", "0.3.36")
VOCABULARIES = PurePosixPath("vendor/llama.cpp/models")
"""The folder of its source distribution with a GGUF of each vocabulary that llama.cpp is tested with."""


def named(place: Mapping[str, Any]) -> tuple[Archive, str]:
    """The archive and the path in it that a file of a model is taken from; KeyError or TypeError if unsaid."""
    for kind, between in (("npm", "@"), ("wheel", "==")):
        if kind in place:
            name, _, version = str(place[kind]).rpartition(between)
            if not name or not re.fullmatch(r"\d+(\.\d+)+", version):
                raise TypeError(f"{place[kind]!r} has no exact version, as in NAME{between}1.2.3")
            return Archive(kind, name, version), str(place["file"])
    return LLAMA_CPP, str(VOCABULARIES / str(place["pull"]))


def download(archive: Archive, folder: Path) -> Path:
    """The archive's file in a folder, fetched by pip or npm; PullError says why it can't be had."""
    if archive.kind == "npm":
        return _npm(archive, folder)
    only = "--no-binary" if archive.kind == "sdist" else "--only-binary"
    command = [sys.executable, *_PIP, only, ":all:", "--dest", str(folder), archive.specifier]
    return _fetched("pip", command, folder, "*.tar.gz" if archive.kind == "sdist" else "*.whl")


def _npm(archive: Archive, folder: Path) -> Path:
    """The tarball of a package; npm runs in that folder, so no file of the user's directory configures it."""
    npm = shutil.which("npm")
    if npm is None:
        message, _, hint = NO_NPM.partition("; ")
        raise UnavailableError(message, hint)
    command = [npm, "pack", "--ignore-scripts", "--silent", "--pack-destination", str(folder)]
    try:
        return _fetched("npm", [*command, archive.specifier], folder, "*.tgz")
    except PullError as error:
        raise UnavailableError(error.message, error.hint) from error


def _fetched(client: str, command: list[str], folder: Path, pattern: str) -> Path:
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise PullError(f"{client} could not be run: {error}", AGAIN) from error
    found = sorted(folder.glob(pattern))
    if done.returncode or not found:
        last = (done.stderr.strip().splitlines() or ["no archive"])[-1]
        raise PullError(f"{client} could not download {command[-1]}: {last}", AGAIN)
    return found[0]
