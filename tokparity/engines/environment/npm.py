"""Environments of packages of npm: one exact version and what it needs, with the lock file that npm writes.

No script of a package runs when it is installed. No .npmrc and no variable of npm configures the npm that runs here,
except for where the registry is and how it is reached.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from packaging.version import InvalidVersion, Version

from tokparity.engines.environment.installer import Refused, run
from tokparity.engines.environment.released import TEMPLATES
from tokparity.engines.environment.versions import nearest
from tokparity.engines.environment.wheels import Hashes
from tokparity.engines.process.temporary import TemporaryFolder
from tokparity.models.archive import NO_NPM

LOCK = "package-lock.json"
_WORKER = Path(__file__).parent / "worker.js"
_MOST_BYTES = 1 << 29
_WAYS = ("registry", "proxy", "https-proxy", "noproxy", "cafile", "strict-ssl")
"""Settings of npm that say where the registry is and how it is reached."""

_PLAIN = (
    *("--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error", "--logs-max=0"),
    *("--fetch-retries=2", "--fetch-retry-mintimeout=1000", "--fetch-retry-maxtimeout=5000"),
)


class Npm:
    """npm, which brings node with it."""

    NAME = "npm"

    def create(self, folder: Path, python: str) -> None:
        """An empty private package; `python` is not needed."""
        _program("npm"), _program("node")
        folder.mkdir()
        _begin(folder)

    def install(self, folder: Path, requirements: Sequence[str]) -> None:
        """`npm install` of exact versions; Refused where there is none, or it takes too much room.

        The registry says beforehand how large a package is. What was really unpacked, with all that the package needs,
        is counted afterwards.
        """
        for requirement in requirements:
            _check_size(requirement, _size_said(folder, requirement))
        _npm(folder, "install", "--ignore-scripts", "--save-exact", *requirements)
        found = (path.lstat().st_size for path in folder.rglob("*") if not path.is_symlink())
        _check_size(" and ".join(requirements), sum(found))

    def hashes(self, folder: Path, pins: Sequence[str]) -> Hashes:
        """None: each pin says the package's `integrity` itself, which is a SHA-512."""
        return {}


def pins(folder: Path) -> list[str]:
    """Each installed package as NAME@VERSION, with the integrity that the lock file says."""
    packages = json.loads((folder / LOCK).read_text(encoding="utf-8"))["packages"]
    named = ((path.rpartition("node_modules/")[2], found) for path, found in packages.items() if path)
    return sorted(f"{name}@{found['version']} {found.get('integrity', '')}".strip() for name, found in named)


def versions(package: str) -> list[str]:
    """The versions that the registry has of a package, the oldest first; those that PEP 440 spells as npm does."""
    with _anywhere() as folder:
        found = json.loads(_npm(folder, "view", package, "versions", "--json"))
    return sorted(filter(_is_spelled, [found] if isinstance(found, str) else map(str, found)), key=Version)


def worker(folder: Path, engine: str) -> list[str]:
    """The command of the worker of an environment, without the variables that configure node; Refused without node.

    What renders templates may read the package and the worker's own files alone, and start nothing.
    """
    read = [f"--allow-fs-read={one.resolve()}/" for one in (folder, _WORKER.parent)]
    may = ["--experimental-permission", *read] if engine in TEMPLATES else []
    return ["env", "-u", "NODE_OPTIONS", "-u", "NODE_PATH", _program("node"), *may, str(_WORKER), str(folder), engine]


def node_version() -> str:
    """The version of node, without the "v" before it; Refused where there is none."""
    return _version_of(_program("node"))


@cache
def _version_of(program: str) -> str:
    return run([program, "--version"]).strip().removeprefix("v")


def _program(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        message, _, hint = NO_NPM.partition("; ")
        raise Refused(message.replace("npm", name, 1), hint)
    return found


def _begin(folder: Path) -> None:
    """Make the folder a package of its own, so that npm looks for settings in no folder above it."""
    (folder / "package.json").write_text('{"private": true}', encoding="utf-8")


@contextmanager
def _anywhere() -> Iterator[Path]:
    with TemporaryFolder() as folder:
        _begin(Path(folder))
        yield Path(folder)


def _npm(folder: Path, *words: str) -> str:
    """Run npm in a folder, with settings of ours alone."""
    unread = [f"--{name}config={folder / f'no-{name}.npmrc'}" for name in ("user", "global")]
    return run([_program("npm"), *words, *_PLAIN, *unread, *_ways(folder)], folder=folder)


def _ways(folder: Path) -> list[str]:
    """Where the registry is, of all packages and of a scope, and how it is reached; credentials are not read."""
    own = {name: said for name, said in os.environ.items() if name.lower().startswith("npm_config_")}
    listed = run([_program("npm"), "config", "list", "--json"], variables=own, folder=folder)
    told: dict[str, Any] = json.loads(listed)
    known = {name: value for name, value in told.items() if name in _WAYS or name.endswith(":registry")}
    strict = [] if known.pop("strict-ssl", True) else ["--no-strict-ssl"]
    return [*strict, *(f"--{name}={_spelled(value)}" for name, value in known.items() if value not in (None, "", [""]))]


def _spelled(value: object) -> str:
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)


def _size_said(folder: Path, requirement: str) -> int:
    """The bytes that the registry says of a version of a package, 0 if it says none; Refused where there is none."""
    try:
        said = _npm(folder, "view", requirement, "dist.unpackedSize", "--json")
    except Refused as why:
        package, _, version = requirement.rpartition("@")
        if why.unreachable or version in (known := versions(package)) or not known:
            raise
        *some, last = nearest(version, known)
        there = f"there are {', '.join(some)} and {last}" if some else f"there is {last}"
        raise Refused(f"there is no {package} {version}", there) from None
    return int(said or 0)


def _check_size(what: str, size: int) -> None:
    if size > _MOST_BYTES:
        raise Refused(f"{what} takes {size} bytes, more than {_MOST_BYTES}", "name another version")


def _is_spelled(version: str) -> bool:
    """Whether PEP 440 spells the version as npm does; what it cannot spell is no version that a user can name."""
    try:
        return str(Version(version)) == version
    except InvalidVersion:
        return False
