"""Engines outside the package, "module:name" or "./file.py:name": described by a worker, imported in workers only."""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
import traceback
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import ModuleType

from tokparity.engines.adapter import adapted
from tokparity.engines.engine_name import EngineName, parse
from tokparity.engines.hello import Hello
from tokparity.engines.protocol import Capabilities, Engine, OpenModel, Options
from tokparity.errors import EngineError, TokparityError, UsageError

_PATIENCE = 60.0
"""Seconds within which an engine has said what it can be asked."""


@dataclass(frozen=True)
class Described:
    """An engine as a worker has described it; its module is not imported here."""

    NAME: str
    hello: Hello

    @property
    def CAPABILITIES(self) -> Capabilities:
        """What the worker said that it can be asked."""
        return self.hello.capabilities

    def version(self) -> str:
        """The version that the worker reported; raises what the engine raised."""
        if self.hello.refusal is not None:
            raise self.hello.refusal
        return self.hello.version

    def open(self, path: str, options: Options) -> OpenModel:
        """Workers open models, by `load`."""
        name = parse(self.NAME)
        return load(self.NAME, name.base, name.place).open(path, options)


def described(name: EngineName) -> Engine:
    """The engine of that name, as a worker describes it; raises what keeps it from being used."""
    return _described(str(name), os.getcwd(), tuple(sys.path))


@lru_cache(maxsize=64)
def _described(name: str, directory: str, path: tuple[str, ...]) -> Described:
    """Asked once for each place in which it may be found."""
    from tokparity.engines.process.handle import Process
    from tokparity.engines.process.obedient import WorkerLost

    process = Process(name, None, {}, _PATIENCE, None)
    try:
        return Described(name, process.hello())
    except WorkerLost:
        process.close()
        message = f"engine {name!r} ended its process while it was imported: {process.epitaph()}"
        raise EngineError(message, "import the module by itself in Python, and fix what ends the process") from None
    except TokparityError as error:
        if error.message.startswith("engine "):
            raise
        raise type(error)(f"engine {name!r}: {error.message}", error.hint) from error
    finally:
        process.close()


def load(name: str, module: str, attribute: str) -> Engine:
    """Import the engine; only for workers. UsageError where it is not there, EngineError where it raises."""
    try:
        found: object = _module(name, module)
        for part in attribute.split("."):
            found = getattr(found, part)
    except AttributeError as error:
        raise UsageError(
            f"engine {name!r} cannot be found: {error}", "write it as module:Class or ./file.py:name"
        ) from error
    try:
        return adapted(found, name)
    except TokparityError:
        raise
    except BaseException as error:  # whatever the user's class raises when it is made
        raise EngineError(f"engine {name!r} cannot be made: {_told(error)}", "fix the __init__ of its class") from error


def _module(name: str, module: str) -> ModuleType:
    """The user's module, which may lie in the working directory."""
    directory = os.getcwd()
    if directory not in sys.path:
        sys.path.append(directory)  # last, so that no file here hides a library
    is_file = module.endswith(".py") or "/" in module
    if is_file and not Path(module).is_file():
        raise UsageError(f"engine {name!r}: there is no file {module!r}", f"the working directory is {directory!r}")
    try:
        return _from_file(Path(module)) if is_file else importlib.import_module(module)
    except (ModuleNotFoundError, TypeError, ValueError) as error:
        if is_file or (isinstance(error, ModuleNotFoundError) and not _is_missing(module, error)):
            raise EngineError(f"engine {name!r} cannot be imported: {_told(error)}", "fix that module") from error
        hint = "write it as module:Class or ./file.py:name; the working directory and PYTHONPATH are searched"
        raise UsageError(f"engine {name!r} cannot be imported: {error}", hint) from error
    except BaseException as error:  # a module may raise anything, SystemExit included
        raise EngineError(f"engine {name!r} cannot be imported: {_told(error)}", "fix that module") from error


def _is_missing(module: str, error: ModuleNotFoundError) -> bool:
    """Whether it is the module itself that is not there, rather than one that it imports."""
    return error.name is not None and (module == error.name or module.startswith(f"{error.name}."))


def _from_file(path: Path) -> ModuleType:
    folder = str(path.resolve().parent)
    if folder not in sys.path:
        sys.path.append(folder)  # what lies beside it can be imported by it
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise UsageError(f"{str(path)!r} is not a Python file", "name a file that ends in .py")
    module = importlib.util.module_from_spec(spec)
    sys.modules.setdefault(path.stem, module)  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


def _told(error: BaseException) -> str:
    """The error in one line, with the place where it was raised."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else ""
    return f"{type(error).__name__}: {error}{place}".replace("\n", " ")[:600]
