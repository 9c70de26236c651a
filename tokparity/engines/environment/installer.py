"""What makes environments: uv where it is, else venv and pip. Wheels only, and no Python is ever downloaded."""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from tokparity.engines.environment.wheels import Hashes, installed_tags, of_lock, of_report

_SECONDS = 600.0
_REPORT = "installed.json"

_ABSENT = re.compile(r"there is no version of|Could not find a version|No matching distribution")
_NO_WHEEL = re.compile(r"no (usable )?wheels|no wheels with a matching|from versions: none")
_NETWORK = re.compile(
    r"Failed to fetch|Could not fetch URL|error sending request|Connection (refused|reset|aborted|timed out|broken)|"
    r"connect(ion)? error|"
    r"NewConnectionError|Network is unreachable|network connectivity|network was disabled|timed out|"
    r"Temporary failure in name resolution|dns error|Name or service not known|No route to host",
    re.I,
)


class Refused(Exception):
    """Why nothing was installed, in one line, and the next step; `unreachable` where the index did not answer."""

    def __init__(self, message: str, hint: str, unreachable: bool = False) -> None:
        super().__init__(message)
        self.hint = hint
        self.unreachable = unreachable


class Installer(Protocol):
    """Makes an environment in a folder and installs into it; raises Refused."""

    NAME: str

    def create(self, folder: Path) -> None:
        """An environment without anything in it."""

    def install(self, folder: Path, requirements: Sequence[str]) -> None:
        """Install wheels, and what they need."""

    def hashes(self, folder: Path, pins: Sequence[str]) -> Hashes:
        """The SHA-256 of the wheels that were installed, as far as it can tell."""


class Uv:
    """uv: what it has in its own cache first, then the index."""

    NAME = "uv"

    def __init__(self, program: str) -> None:
        self._program = program

    def create(self, folder: Path) -> None:
        """`uv venv` with this very Python."""
        run([self._program, "venv", "--quiet", "--no-python-downloads", "--python", sys.executable, str(folder)])

    def install(self, folder: Path, requirements: Sequence[str]) -> None:
        """Without the network where that does."""
        words = [self._program, "pip", "install", "--quiet", "--only-binary", ":all:", "--python", _python(folder)]
        try:
            run([*words, "--offline", *requirements])
        except Refused:
            run([*words, *requirements])

    def hashes(self, folder: Path, pins: Sequence[str]) -> Hashes:
        """`uv pip compile` of what is installed, out of uv's cache; an old uv writes no such lock."""
        words = [self._program, "pip", "compile", "-", "--quiet", "--offline", "--no-deps", "--format", "pylock.toml"]
        try:
            said = run([*words, "--only-binary", ":all:", "--python", _python(folder)], "\n".join(pins))
        except Refused:
            return {}
        return of_lock(said, installed_tags(folder))


class Pip:
    """The standard library's venv, and pip in it."""

    NAME = "pip"

    def create(self, folder: Path) -> None:
        """`python -m venv`."""
        run([sys.executable, "-m", "venv", str(folder)])

    def install(self, folder: Path, requirements: Sequence[str]) -> None:
        """`pip install`, which keeps what it has downloaded."""
        words = [_python(folder), "-I", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        run([*words, "--only-binary", ":all:", "--report", str(folder / _REPORT), *requirements])

    def hashes(self, folder: Path, pins: Sequence[str]) -> Hashes:
        """What `pip install` has reported."""
        return of_report((folder / _REPORT).read_text(encoding="utf-8"))


def installer() -> Installer:
    """uv beside our Python or on PATH, else pip."""
    beside = Path(sys.executable).parent / "uv"
    found = str(beside) if beside.is_file() else shutil.which("uv")
    return Uv(found) if found else Pip()


def _python(folder: Path) -> str:
    return str(folder / "bin" / "python")


def run(words: Sequence[str], told: str = "") -> str:
    """Run an installer that is told something on stdin, and give its stdout; Refused says in one line why it failed."""
    hidden = ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "CONDA_PREFIX")
    clean = {name: value for name, value in os.environ.items() if name not in hidden}
    try:
        done = subprocess.run(
            words, input=told, capture_output=True, text=True, env=clean, timeout=_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        raise Refused(f"it took more than {_SECONDS:.0f} s", "see whether the package index answers") from None
    except OSError as error:
        raise Refused(f"{words[0]!r} cannot be run: {error.strerror}", "install uv: pip install uv") from error
    if done.returncode:
        raise refused(done.stderr or done.stdout)
    return done.stdout


def refused(said: str) -> Refused:
    """What the installer's words mean."""
    said = " ".join(said.split())
    python = f"Python {platform.python_version()} on {sysconfig.get_platform()}"
    if _NETWORK.search(said):
        hint = "go on with a version that is installed (`tokparity engines --installed`), or see to the network"
        return Refused("the package index could not be reached", hint, unreachable=True)
    if _NO_WHEEL.search(said):
        hint = "name a version with a wheel for it, or a Python that has the library: ENGINE@/path/to/python"
        return Refused(f"it has no wheel for {python}", hint)
    if _ABSENT.search(said):
        return Refused("there is no such version, or none for " + python, "see the library's releases for its versions")
    return Refused(said[-400:], "see what the installer says")
