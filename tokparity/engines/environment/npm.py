"""Environments of packages of npm: one exact version and what it needs, with the lock file that npm writes.

No script of a package runs when it is installed, and no file of the user's directory configures npm.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from pathlib import Path

from tokparity.engines.environment.installer import Refused, run
from tokparity.engines.environment.wheels import Hashes
from tokparity.models.archive import NO_NPM

LOCK = "package-lock.json"
WORKER = Path(__file__).parent / "worker.js"
_MOST_BYTES = 1 << 30
_WORDS = ("install", "--ignore-scripts", "--no-audit", "--no-fund", "--save-exact", "--loglevel=error")


class Npm:
    """npm, which brings node with it."""

    NAME = "npm"

    def create(self, folder: Path, python: str) -> None:
        """An empty private package; `python` is not needed."""
        _program("npm"), _program("node")
        folder.mkdir()
        (folder / "package.json").write_text('{"private": true}', encoding="utf-8")

    def install(self, folder: Path, requirements: Sequence[str]) -> None:
        """`npm install` of exact versions; Refused where they take too much room."""
        run([_program("npm"), *_WORDS, "--prefix", str(folder), *requirements])
        size = sum(path.lstat().st_size for path in folder.rglob("*") if not path.is_symlink())
        if size > _MOST_BYTES:
            raise Refused(f"the package takes {size} bytes, more than {_MOST_BYTES}", "name another version")

    def hashes(self, folder: Path, pins: Sequence[str]) -> Hashes:
        """None: each pin says the package's `integrity` itself, which is a SHA-512."""
        return {}


def pins(folder: Path) -> list[str]:
    """Each installed package as NAME@VERSION, with the integrity that the lock file says."""
    packages = json.loads((folder / LOCK).read_text(encoding="utf-8"))["packages"]
    named = ((path.rpartition("node_modules/")[2], found) for path, found in packages.items() if path)
    return sorted(f"{name}@{found['version']} {found.get('integrity', '')}".strip() for name, found in named)


def versions(package: str) -> list[str]:
    """All versions that the registry has of a package."""
    found = json.loads(run([_program("npm"), "view", package, "versions", "--json"]))
    return [found] if isinstance(found, str) else [str(version) for version in found]


def node() -> str:
    """The program that runs the worker; Refused where there is none."""
    return _program("node")


def node_version() -> str:
    """The version of node, without the "v" before it."""
    return run([node(), "--version"]).strip().removeprefix("v")


def _program(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        message, _, hint = NO_NPM.partition("; ")
        raise Refused(message.replace("npm", name, 1), hint)
    return found
