"""Engines, one file each: the tokenizer libraries that are put side by side.

A file in this folder with an object `ENGINE` (see `protocol.Engine`) is an engine; its name is `ENGINE.NAME`, and the
file is called like it, with "_" for "." and "-". An engine outside the package is named "module:Class" (or
"module:object") and must be importable in the worker, which inherits sys.path.
"""

from __future__ import annotations

import difflib
import importlib
import pkgutil
from typing import TYPE_CHECKING

from tokparity.errors import UsageError

if TYPE_CHECKING:
    from tokparity.engines.protocol import Engine


def names() -> list[str]:
    """The names of all engines in this folder, sorted."""
    modules = [importlib.import_module(f"{__name__}.{module.name}") for module in pkgutil.iter_modules(__path__)]
    return sorted(module.ENGINE.NAME for module in modules if hasattr(module, "ENGINE"))


def get(name: str) -> Engine:
    """The engine of that name: "llama.cpp", "reference+quirk+quirk", or "module:Class" for one outside the package.

    Raises UsageError with the nearest name if there is none.
    """
    if ":" in name:
        return _outside(name)
    base, *quirks = name.split("+")
    engine = _inside(base)
    if engine is None:
        raise UsageError(f"unknown engine {name!r}", _suggestion(base))
    if not quirks:
        return engine
    flipped = getattr(engine, "with_quirks", None)
    if flipped is None:
        raise UsageError(
            f"engine {base!r} takes no quirks, but {name!r} names some", "only the reference can be flipped"
        )
    found: Engine = flipped(tuple(quirks))
    return found


def _inside(name: str) -> Engine | None:
    """The engine in the file that belongs to the name; nothing else is imported."""
    file = name.replace(".", "_").replace("-", "_")
    if file not in {module.name for module in pkgutil.iter_modules(__path__)}:
        return None
    engine: Engine | None = getattr(importlib.import_module(f"{__name__}.{file}"), "ENGINE", None)
    return engine if engine is not None and name == engine.NAME else None


def _suggestion(name: str) -> str:
    known = names()
    near = difflib.get_close_matches(name, known, n=1)
    return f"did you mean {near[0]!r}?" if near else f"known engines: {', '.join(known)}"


def _outside(name: str) -> Engine:
    module, _, attribute = name.partition(":")
    try:
        found = getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError, ValueError) as error:
        raise UsageError(f"engine {name!r} cannot be imported: {error}", "write it as module:Class") from error
    engine: Engine = found() if isinstance(found, type) else found
    return engine
