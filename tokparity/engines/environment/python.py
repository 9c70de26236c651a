"""Other Pythons: what one says of an engine's library, and which ones are installed here."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path

WORKER = Path(__file__).parent / "worker.py"
_SECONDS = 120
_OWN_PATH = "import sys; print(sys.executable)"


class Unanswered(Exception):
    """A Python that gave no answer; the message is the last line that it wrote."""


def said(python: str, function: str, engine: str) -> str:
    """What a function of the worker returns for an engine at that Python."""
    code = f"import runpy; print(runpy.run_path({str(WORKER)!r})[{function!r}]({engine!r}))"
    return _output([python, "-I", "-c", code]).strip().rpartition("\n")[2]


def freeze(python: str) -> list[str]:
    """The installed packages, as name==version."""
    code = (
        "from importlib import metadata;"
        "print('\\n'.join(sorted(f'{d.metadata[\"Name\"]}=={d.version}' for d in metadata.distributions())))"
    )
    try:
        return _output([python, "-I", "-c", code]).split()
    except Unanswered:
        return []


def installed_pythons(versions: Iterable[str]) -> Iterator[str]:
    """The Pythons of these versions ("3.10") that PATH, pyenv or uv knows."""
    for version in versions:
        chosen = {**os.environ, "PYENV_VERSION": version}  # pyenv's programs run no other version than the chosen one
        asking = [[name, "-I", "-c", _OWN_PATH] for name in [shutil.which(f"python{version}")] if name]
        asking += [[uv, "python", "find", "--no-python-downloads", version] for uv in [shutil.which("uv")] if uv]
        for words in asking:
            try:
                yield _output(words, chosen).strip()
                break
            except Unanswered:
                continue


def _output(words: list[str], environ: dict[str, str] | None = None) -> str:
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=_SECONDS, check=False, env=environ)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Unanswered(str(error)) from error
    if done.returncode:
        raise Unanswered((done.stderr.strip().splitlines() or ["it said nothing"])[-1][:400])
    return done.stdout
