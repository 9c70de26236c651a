"""Which versions of an engine's library the package index has, asked of pip, which knows where the user's index is."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

from packaging.utils import InvalidWheelFilename, canonicalize_name, parse_wheel_filename
from packaging.version import InvalidVersion, Version

from tokparity.engines.environment import npm
from tokparity.engines.environment.installer import Refused, refused, run
from tokparity.engines.environment.released import NODE, REQUIREMENTS, distribution
from tokparity.engines.process.temporary import TemporaryFolder
from tokparity.errors import EngineError, UsageError

_LISTED = re.compile(r"^Available versions: (.+)$", re.MULTILINE)
_LOST = re.compile(r"Could not fetch URL [^\n]*(connection error|timed out|ssl certificate|5\d\d Server Error)", re.I)
"""What pip says at -vv, and goes on, where an index did not answer."""

_WHEEL = re.compile(r"[/\\]([^/\\\s#]+\.whl)(?=[#\s]|$)", re.MULTILINE)
"""What pip says at -vv of each file, whether it fits here or not."""


def is_pre_release(version: str) -> bool:
    """Whether a version is a release candidate or the like; post-releases and what is not a version are final."""
    try:
        return Version(version).is_prerelease
    except InvalidVersion:
        return False


@dataclass(frozen=True)
class Listing:
    """What the index has of a library: its versions, the oldest first, and the names of its wheels for any machine."""

    versions: Sequence[str]
    wheels: Sequence[str]

    def wheels_of(self, version: str) -> list[str]:
        """The wheels of one version."""
        return [wheel for wheel in self.wheels if parse_wheel_filename(wheel)[1] == Version(version)]


def releases(engine: str, pre: bool = False) -> list[str]:
    """All versions on the index, the oldest first, whether they can be installed here or not; `pre`: also candidates.

    EngineError where the index cannot be asked.
    """
    if engine not in REQUIREMENTS:
        raise UsageError(f"engine {engine!r} has only the installed version", f"these engines have others: {_known()}")
    if engine in NODE:
        return [version for version in _of_npm(NODE[engine].package) if pre or not is_pre_release(version)]
    return list(listing(distribution(engine), pre).versions)


def _of_npm(package: str) -> list[str]:
    try:
        return npm.versions(package)
    except Refused as why:
        raise EngineError(f"the releases of {package} cannot be listed: {why}", why.hint) from None


def listing(library: str, pre: bool = True) -> Listing:
    """The versions and wheels that the index has of a library; EngineError if the index does not answer."""
    try:
        with _pip() as pip:
            # Whether a version can be installed here shows when it is tried: left out, it would hide where a change is.
            words = [*pip, "-vv", "index", "versions", library, "--ignore-requires-python", *(["--pre"] if pre else [])]
            said = run([*words, *_index_of_uv()])
            if _LOST.search(said):  # what it lists then is what it has found elsewhere, and not all there is
                raise refused(said)
    except Refused as why:
        raise EngineError(f"the releases of {library} cannot be listed: {why}", why.hint) from None
    found = _LISTED.search(said)
    if found is None:
        raise EngineError(f"the releases of {library} cannot be listed: pip said {said[:200]!r}", "update pip")
    versions = [version.strip() for version in reversed(found[1].split(","))]
    wheels = dict.fromkeys(map(unquote, _WHEEL.findall(said)))
    return Listing(versions, [wheel for wheel in wheels if _is_of(library, wheel)])


def _is_of(library: str, wheel: str) -> bool:
    """Whether a file is a wheel of this library; pip also tells of others in a folder that it is to look in."""
    try:
        return parse_wheel_filename(wheel)[0] == canonicalize_name(library)
    except InvalidWheelFilename:
        return False


def _known() -> str:
    return ", ".join(sorted(REQUIREMENTS))


@contextmanager
def _pip() -> Iterator[Sequence[str]]:
    """The command that runs pip: our Python's, one on PATH, or that of an environment which goes again."""
    if importlib.util.find_spec("pip") is not None:
        yield [sys.executable, "-m", "pip"]
    elif found := shutil.which("pip") or shutil.which("pip3"):
        yield [found]
    else:
        with TemporaryFolder() as folder:
            run([sys.executable, "-m", "venv", folder])
            yield [str(Path(folder) / "bin" / "python"), "-m", "pip"]


def _index_of_uv() -> list[str]:
    """Who has told only uv where the index is means the same one."""
    told = os.environ.get("UV_DEFAULT_INDEX") or os.environ.get("UV_INDEX_URL")
    return ["--index-url", told] if told and not os.environ.get("PIP_INDEX_URL") else []
