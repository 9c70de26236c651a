"""What makes environments: uv where it is, else venv and pip. No Python is ever downloaded.

Wheels only, but for the one library that has none (`lean`): it is built, and the installer keeps the wheel.
"""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol

from tokparity.engines.environment import lean
from tokparity.engines.environment.wheels import Hashes, installed_tags, of_lock, of_report

_SECONDS = 600.0
_BUILD_SECONDS = 7200.0
_REPORT = "installed.json"

_ABSENT = re.compile(r"there is no version of|Could not find a version|No matching distribution")
_NO_WHEEL = re.compile(r"no (usable )?wheels|no wheels with a matching|from versions: none")
_NETWORK = re.compile(
    r"Failed to fetch|Could not fetch URL|error sending request|Connection (refused|reset|aborted|timed out|broken)|"
    r"connect(ion)? error|"
    r"E(NOTFOUND|AI_AGAIN|CONNREFUSED|CONNRESET|TIMEDOUT|HOSTUNREACH|NETUNREACH)\b|"
    r"npm error code E5\d\d\b|"
    r"NewConnectionError|Network is unreachable|network connectivity|network was disabled|timed out|"
    r"Temporary failure in name resolution|dns error|Name or service not known|No route to host",
    re.I,
)

_HIDDEN = re.compile(r"PYTHONPATH|PYTHONHOME|VIRTUAL_ENV|CONDA_PREFIX|NODE_OPTIONS|NODE_PATH|npm_config_.*", re.I)


class Refused(Exception):
    """Why nothing was installed, in one line, and the next step.

    `unreachable`: the index did not answer; `lacks`: it has not that version, or no wheel of it for the Python.
    """

    def __init__(self, message: str, hint: str, unreachable: bool = False, lacks: bool = False) -> None:
        super().__init__(message)
        self.hint = hint
        self.unreachable, self.lacks = unreachable, lacks


class Installer(Protocol):
    """Makes an environment in a folder and installs into it; raises Refused."""

    NAME: str

    def create(self, folder: Path, python: str) -> None:
        """Create an empty environment for that Python."""

    def install(self, folder: Path, requirements: Sequence[str]) -> None:
        """Install wheels, and what they need; of a library that has none, the library alone."""

    def hashes(self, folder: Path, pins: Sequence[str]) -> Hashes:
        """The SHA-256 of the wheels that were installed, as far as it can tell."""


class Uv:
    """uv: what it has in its own cache first, then the index."""

    NAME = "uv"

    def __init__(self, program: str) -> None:
        self._program = program

    def create(self, folder: Path, python: str) -> None:
        """`uv venv`."""
        run([self._program, "venv", "--quiet", "--no-python-downloads", "--python", python, str(folder)])

    def install(self, folder: Path, requirements: Sequence[str]) -> None:
        """Without the network where that does."""
        words = [self._program, "pip", "install", "--quiet", *_kinds(requirements), "--python", _python(folder)]
        try:
            _installed([*words, "--offline"], folder, requirements)
        except Refused:
            _installed(words, folder, requirements)

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

    def create(self, folder: Path, python: str) -> None:
        """`python -m venv`."""
        run([python, "-m", "venv", str(folder)])

    def install(self, folder: Path, requirements: Sequence[str]) -> None:
        """`pip install`, which keeps what it has downloaded."""
        words = [_python(folder), "-I", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        _installed([*words, *_kinds(requirements), "--report", str(folder / _REPORT)], folder, requirements)

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


def _is_built(requirements: Sequence[str]) -> bool:
    return requirements[0].startswith(f"{lean.BUILT}==")


def _kinds(requirements: Sequence[str]) -> list[str]:
    """What may be installed: what is built comes without what it needs, for its Python package is not imported."""
    return ["--no-deps"] if _is_built(requirements) else ["--only-binary", ":all:"]


def _installed(words: Sequence[str], folder: Path, requirements: Sequence[str]) -> None:
    if _is_built(requirements):
        run([*words, *requirements], seconds=_BUILD_SECONDS, variables=lean.variables(folder))
    else:
        run([*words, *requirements])


def run(
    words: Sequence[str],
    told: str = "",
    seconds: float = _SECONDS,
    variables: Mapping[str, str] | None = None,
    folder: Path | None = None,
) -> str:
    """Run an installer that is told something on stdin, and give its stdout; Refused says in one line why it failed.

    Variables that change what Python, node or npm does are hidden from it, and `variables` added.
    """
    clean = {name: value for name, value in os.environ.items() if not _HIDDEN.fullmatch(name)} | dict(variables or {})
    try:
        done = subprocess.run(
            words, input=told, capture_output=True, text=True, env=clean, timeout=seconds, check=False, cwd=folder
        )
    except subprocess.TimeoutExpired:
        raise Refused(
            f"the installer took more than {seconds:.0f} s", "check whether the package index answers"
        ) from None
    except OSError as error:
        raise Refused(f"{words[0]!r} cannot be run: {error.strerror}", "install uv: pip install uv") from error
    if done.returncode:
        raise refused(done.stderr or done.stdout)
    return done.stdout


def refused(said: str) -> Refused:
    """Turn the installer's message into an error with a next step."""
    said = " ".join(said.split())
    python = f"Python {platform.python_version()} on {sysconfig.get_platform()}"
    if _NETWORK.search(said):
        hint = "use a version that is installed (`tokparity engines --installed`), or check the network"
        return Refused("the package index could not be reached", hint, unreachable=True)
    if _NO_WHEEL.search(said):
        hint = "name a version with a wheel for this Python, or a Python with the library: ENGINE@/path/to/python"
        return Refused(f"the library has no wheel for {python}", hint, lacks=True)
    if _ABSENT.search(said):
        hint = "see the library's releases for its versions"
        return Refused("there is no such version, or none for " + python, hint, lacks=True)
    return Refused(said[-400:], "read the installer's message")
