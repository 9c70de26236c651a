"""Engines, one file each: the tokenizer libraries that are put side by side.

A file in this folder with an object `ENGINE` (see `protocol.Engine`) is an engine. Its name is `ENGINE.NAME`, and the
file has the same name, with "_" for "." and "-". An engine outside the package is named "module:name" or
"./file.py:name" (see `adapter`); it is imported in workers only, which inherit sys.path.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
from typing import TYPE_CHECKING

from tokparity.engines import engine_name
from tokparity.engines.environment.released import RELEASED
from tokparity.engines.options import optioned
from tokparity.errors import UsageError, nearest

if TYPE_CHECKING:
    from tokparity.engines.engine_name import EngineName
    from tokparity.engines.protocol import Engine


def names() -> list[str]:
    """The names of all engines in this folder, sorted."""
    modules = [importlib.import_module(f"{__name__}.{module.name}") for module in pkgutil.iter_modules(__path__)]
    return sorted(module.ENGINE.NAME for module in modules if hasattr(module, "ENGINE"))


def get(name: str) -> Engine:
    """The engine of that name (see `engine_name`); one outside the package is described by a worker, not imported.

    Raises UsageError with the nearest name if there is none, EngineError where one outside the package is broken.
    """
    parsed = engine_name.parse(name)
    if parsed.is_outside and not (
        parsed.is_command or parsed.is_replay or parsed.is_stream or parsed.url or _is_ours(parsed)
    ):
        from tokparity.engines.outside import described

        return described(parsed)
    return loaded(name)


def loaded(name: str) -> Engine:
    """The engine of that name, ready to open models; only workers ask so for one outside the package.

    A renderer that is no tokenizer's engine is one that makes prompts alone.
    """
    from tokparity.engines.renderers import RENDERERS

    parsed = engine_name.parse(name)
    if parsed.is_command:
        from tokparity.engines.command import command

        return command(parsed)
    if parsed.is_replay:
        from tokparity.engines.replay import replay

        return replay(parsed)
    if parsed.is_stream:
        from tokparity.engines.windows import windowed

        return windowed(parsed)
    if parsed.url:
        from tokparity.engines.endpoint import endpoint

        return endpoint(parsed)
    if parsed.is_outside:
        from tokparity.engines.outside import load

        return load(name, parsed.base, parsed.place)
    if parsed.base in RELEASED and not parsed.quirks and not parsed.options:
        from tokparity.engines.environment.pinned import of_release

        return of_release(parsed)
    engine = _inside(parsed.base)
    if engine is None and name in RENDERERS:
        return loaded(RENDERERS[name])
    if engine is None:
        raise UsageError(f"unknown engine {name!r}", _suggestion(parsed.base))
    if parsed.version:
        from tokparity.engines.environment.pinned import pinned

        engine = pinned(parsed, engine)
    if parsed.options:
        engine = optioned(engine, parsed)
    return _flipped(engine, parsed) if parsed.quirks else engine


def imports(name: str) -> tuple[str, ...]:
    """The modules (`ENGINE.IMPORTS`) that take long to import and that each worker of this engine needs."""
    parsed = engine_name.parse(name)
    if parsed.is_outside or parsed.version:  # a library of another environment, or none
        return ()
    found: tuple[str, ...] = getattr(_inside(parsed.base), "IMPORTS", ())
    return found


def _is_ours(name: EngineName) -> bool:
    """Whether the module that it names is part of tokparity, and so safe to import anywhere."""
    return name.base.partition(".")[0] == __package__.partition(".")[0]


def _flipped(engine: Engine, name: EngineName) -> Engine:
    flip = getattr(engine, "with_quirks", None)
    if flip is None:
        message = f"engine {name.base!r} takes no quirks, but {str(name)!r} names some"
        raise UsageError(message, "only the engine `reference` can be given quirks")
    found: Engine = flip(name.quirks)
    return found


def _inside(name: str) -> Engine | None:
    """The engine in the file that belongs to the name; nothing else is imported."""
    file = name.replace(".", "_").replace("-", "_")
    if file not in {module.name for module in pkgutil.iter_modules(__path__)}:
        return None
    engine: Engine | None = getattr(importlib.import_module(f"{__name__}.{file}"), "ENGINE", None)
    return engine if engine is not None and name == engine.NAME else None


def _suggestion(name: str) -> str:
    known = [*names(), *RELEASED]
    plain = {re.sub(r"\W|_", "", one).lower(): one for one in reversed(known)}  # "llamacpp" is llama.cpp
    same = plain.get(re.sub(r"\W|_", "", name).lower())
    return nearest(same or name, known, f"known engines: {', '.join(known)}")
