"""Renderers: one module per output format, each of which turns a Report into a file.

A renderer module has `NAME` (as on the command line), `FILES` (what it writes into a report's directory) and
`render(report, path)`. A new renderer is a new file here, nothing else.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Protocol, cast

from tokparity.errors import UsageError
from tokparity.report.model import Report


class Renderer(Protocol):
    """The interface of an output format's module in this folder."""

    NAME: str
    FILES: tuple[str, ...]

    def render(self, report: Report, path: Path) -> None:
        """Write the report to a file."""


@cache
def modules() -> Mapping[str, Renderer]:
    """Every renderer by name, found by listing this folder."""
    found: dict[str, Renderer] = {}
    for entry in pkgutil.iter_modules(__path__):
        module = importlib.import_module(f"{__name__}.{entry.name}")
        if hasattr(module, "NAME"):
            found[module.NAME] = cast(Renderer, module)
    return found


def names() -> tuple[str, ...]:
    """The names of all renderers, sorted."""
    return tuple(sorted(modules()))


def render(name: str, report: Report, path: Path) -> None:
    """Write the report in the format called `name`; UsageError if there is none or the path cannot be written."""
    renderer = modules().get(name)
    if renderer is None:
        raise UsageError(f"unknown format {name!r} for a report", f"known formats: {', '.join(names())}")
    try:
        renderer.render(report, path)
    except OSError as error:
        raise UsageError(f"cannot write {str(path)!r}: {error.strerror}", "choose another -o") from error
