"""The engine `NAME@VERSION` or `NAME@PYTHON`: the library of another environment, asked through the exec protocol.

`tokenizers@transformers-5.3.0` is the `tokenizers` that came with transformers 5.3.0: what it gives on the raw file is
what that transformers ought to give.
"""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass, replace
from pathlib import Path

from tokparity import formats
from tokparity.engines.command import CommandModel, Opening
from tokparity.engines.engine_name import EngineName, parse
from tokparity.engines.environment.build import REQUIREMENTS, environment, freeze
from tokparity.engines.environment.released import WHEELS
from tokparity.engines.protocol import Capabilities, Engine, Options, id_list
from tokparity.errors import EngineError, UsageError

WORKER = Path(__file__).parent / "worker.py"
_SECONDS = 60


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
            return f"{', '.join(_shown(self.engine, found.pins))} (Python {found.python_version})"
        return self._asked()

    def open(self, path: str, options: Options) -> CommandModel:
        """Have the environment's worker open the model."""
        request = {"op": "open", "path": path, "format": self._format(path), "options": dict(options)}
        around = id_list(options, "prefix_ids"), id_list(options, "suffix_ids")
        opening = Opening(self.NAME, [self.python(), "-I", str(WORKER), self.engine], request)
        lines, said = opening.opened()
        lines.close(politely=True)
        return CommandModel(opening, said, self.CAPABILITIES.formats, around)

    def _format(self, path: str) -> str:
        """The format of a file, for an engine that opens several."""
        known = self.CAPABILITIES.formats
        return known[0] if len(known) == 1 or Path(path).is_dir() else formats.detect(Path(path)).NAME

    def python(self) -> str:
        """The Python that has the library."""
        return self.at if _is_path(self.at) else str(environment(*_home(self.engine, self.at)).python)

    def _asked(self) -> str:
        """What the user's own Python says that it has."""
        if not os.access(self.at, os.X_OK) or Path(self.at).is_dir():
            raise EngineError(
                f"engine {self.NAME!r}: {self.at!r} is no program", "name a Python: ENGINE@/path/to/python"
            )
        code = f"import runpy; print(runpy.run_path({str(WORKER)!r})['version']({self.engine!r}))"
        try:
            done = subprocess.run(
                [self.at, "-I", "-c", code], capture_output=True, text=True, timeout=_SECONDS, check=False
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise EngineError(f"engine {self.NAME!r}: {self.at!r} is no Python: {error}", "name a Python") from error
        if done.returncode:
            why = (done.stderr.strip().splitlines() or ["it said nothing"])[-1]
            raise EngineError(
                f"engine {self.NAME!r}: {self.at!r} cannot be asked: {why}", f"install {self.engine} there"
            )
        return done.stdout.strip()


def pinned(name: EngineName, engine: Engine) -> Pinned:
    """The engine at another version; UsageError where that is not known how to get."""
    if name.base not in REQUIREMENTS:
        message = f"engine {name.base!r} cannot be had at another version, but {str(name)!r} names one"
        raise UsageError(message, f"these can: {', '.join(sorted(REQUIREMENTS))}")
    bare = replace(name, options=(), quirks=())
    return Pinned(str(bare), engine.CAPABILITIES, getattr(engine, "OPTIONS", ()), name.base, name.version)


def installed(name: str) -> tuple[str, ...]:
    """What is installed where this engine runs: its Python and packages, with the wheels' hashes where these are known.

    Nothing where the engine has no environment of its own, or that cannot be had: its version says why.
    """
    found = parse(name)
    version = found.version or (WHEELS[found.base].version if found.base in WHEELS else "")
    if not version or found.base not in REQUIREMENTS:
        return ()
    try:
        return tuple(freeze(Path(version))) if _is_path(version) else environment(*_home(found.base, version)).installed
    except (EngineError, OSError):
        return ()


def of_wheel(name: EngineName) -> Pinned:
    """An engine that is always in an environment of its own; at the version that is known to work, if none is named."""
    wheel = WHEELS[name.base]
    return Pinned(str(name), Capabilities(wheel.formats, general=False), (), name.base, name.version or wheel.version)


def _shown(engine: str, pins: tuple[str, ...]) -> list[str]:
    libraries = ("transformers", "tokenizers") if engine == "transformers" else (engine,)
    versions = dict(pin.split("==", 1) for pin in pins)
    return [f"{library} {versions[library]}" for library in libraries if library in versions]


def _home(engine: str, at: str) -> tuple[str, str]:
    """Whose environment it is, and at which version."""
    library, _, version = at.partition("-")
    return (library, version) if version and library in REQUIREMENTS else (engine, at)


def _is_path(at: str) -> bool:
    return "/" in at
