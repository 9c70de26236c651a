"""The engine `NAME@VERSION` or `NAME@PYTHON`: the library of another environment, asked through the exec protocol.

`tokenizers@transformers-5.3.0` is the `tokenizers` that came with transformers 5.3.0: what it gives on the raw file is
what that transformers ought to give.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path

from tokparity import formats
from tokparity.engines.command import CommandModel
from tokparity.engines.engine_name import EngineName, parse
from tokparity.engines.environment.build import environment
from tokparity.engines.environment.python import WORKER, Unanswered, freeze, said
from tokparity.engines.environment.released import NODE, RELEASED, REQUIREMENTS, distribution
from tokparity.engines.environment.versions import public
from tokparity.engines.opening import Opening
from tokparity.engines.protocol import Capabilities, Engine, Options, id_list
from tokparity.errors import EngineError, UsageError


@dataclass(frozen=True)
class Pinned:
    """An engine whose library is in an environment of its own, or another's.

    `at` is a version, another library and its version ("transformers-5.3.0"), or the path of a Python.
    """

    NAME: str
    CAPABILITIES: Capabilities
    OPTIONS: tuple[str, ...]
    engine: str
    at: str

    def version(self) -> str:
        """What is installed there; the environment is made if there is none."""
        if not _is_path(self.at):
            found = environment(*_home(self.engine, self.at))
            return f"{', '.join(_shown(self.engine, found.pins))} ({found.runtime})"
        return self._asked()

    def open(self, path: str, options: Options) -> CommandModel:
        """Have the environment's worker open the model."""
        request = {"op": "open", "path": path, "format": self._format(path), "options": dict(options)}
        around = id_list(options, "prefix_ids"), id_list(options, "suffix_ids")
        opening = Opening(self.NAME, self._worker(), request)
        lines, said = opening.opened()
        lines.close(politely=True)
        return CommandModel(opening, said, self.CAPABILITIES.formats, around)

    def _format(self, path: str) -> str:
        """The format of a file, for an engine that opens several."""
        known = self.CAPABILITIES.formats
        return known[0] if len(known) == 1 or Path(path).is_dir() else formats.detect(Path(path)).NAME

    def _worker(self) -> list[str]:
        if _is_path(self.at):
            return [self.at, "-I", str(WORKER), self.engine]
        return environment(*_home(self.engine, self.at)).worker(self.engine)

    def _asked(self) -> str:
        """What the user's own Python says that it has."""
        if not os.access(self.at, os.X_OK) or Path(self.at).is_dir():
            raise EngineError(
                f"engine {self.NAME!r}: {self.at!r} is not a program", "name the Python to run: ENGINE@/path/to/python"
            )
        try:
            return said(self.at, "version", self.engine)
        except Unanswered as why:
            message = f"engine {self.NAME!r}: {self.at!r} could not say which version it has: {why}"
            raise EngineError(message, f"name a Python, and install {self.engine} there") from why


def pinned(name: EngineName, engine: Engine) -> Pinned:
    """The engine at another version; UsageError where that is not known how to get."""
    if name.base not in REQUIREMENTS:
        message = f"engine {name.base!r} has only the installed version, but {str(name)!r} names another"
        raise UsageError(message, f"these engines have versions: {', '.join(sorted(REQUIREMENTS))}")
    at = _exact(name.base, name.version)
    bare = replace(name, version=at, options=(), quirks=())
    return Pinned(str(bare), engine.CAPABILITIES, getattr(engine, "OPTIONS", ()), name.base, at)


def installed(name: str) -> tuple[str, ...]:
    """What is installed where this engine runs: its Python and packages, with the wheels' hashes if known.

    Nothing where the engine has no environment of its own, or that cannot be had: its version says why.
    """
    found = parse(name)
    version = found.version or (RELEASED[found.base].version if found.base in RELEASED else "")
    if not version or found.base not in REQUIREMENTS:
        return ()
    try:
        return tuple(freeze(version)) if _is_path(version) else environment(*_home(found.base, version)).installed
    except (EngineError, OSError):
        return ()


def of_release(name: EngineName) -> Pinned:
    """An engine that is always in an environment of its own; at the version that is known to work, if none is named."""
    known = RELEASED[name.base]
    at = _exact(name.base, name.version) if name.version else ""
    bare = replace(name, version=at)
    return Pinned(str(bare), Capabilities(known.formats, general=False), (), name.base, at or known.version)


def _exact(engine: str, at: str) -> str:
    """A version, or another library and its version, in its plain spelling; the path of a Python as it is."""
    if _is_path(at) and engine in NODE:
        message = f"engine {engine!r} runs in Node.js, but {f'{engine}@{at}'!r} names a Python"
        raise UsageError(message, f"name a version of the package, such as {engine}@{NODE[engine].version}")
    if _is_path(at):
        return at
    home, version = _home(engine, at)
    exact = public(version, home)
    return exact if version == at else f"{home}-{exact}"


def _shown(engine: str, pins: tuple[str, ...]) -> list[str]:
    if engine in NODE:
        package = NODE[engine].package
        return [pin.partition(" ")[0] for pin in pins if pin.startswith(f"{package}@")]
    libraries = ("transformers", "tokenizers") if engine == "transformers" else (distribution(engine),)
    versions = dict(pin.split("==", 1) for pin in pins)
    return [f"{library} {versions[library]}" for library in libraries if library in versions]


def _home(engine: str, at: str) -> tuple[str, str]:
    """Whose environment it is, and at which version."""
    library, _, version = at.partition("-")
    ours = version and library in REQUIREMENTS and engine not in NODE
    return (library, version) if ours else (engine, at)


def _is_path(at: str) -> bool:
    return "/" in at
