"""Benchmarks: one file each with NAME, TITLE, add_arguments(parser) and main(args), which prints a table."""

from __future__ import annotations

import argparse
import difflib
import importlib
import pkgutil
from collections.abc import Mapping
from functools import cache
from typing import Protocol, cast

from tokparity.errors import UsageError


class Benchmark(Protocol):
    """What every module in this folder that is a benchmark has."""

    NAME: str
    TITLE: str

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare its options."""

    def main(self, args: argparse.Namespace) -> int:
        """Measure, print, and give the exit code."""


@cache
def modules() -> Mapping[str, Benchmark]:
    """Every benchmark by name, found by listing this folder."""
    found: dict[str, Benchmark] = {}
    for entry in pkgutil.iter_modules(__path__):
        module = importlib.import_module(f"{__name__}.{entry.name}")
        if hasattr(module, "NAME"):
            found[module.NAME] = cast(Benchmark, module)
    return found


def get(name: str) -> Benchmark:
    """The benchmark called `name`; UsageError with the nearest name if there is none."""
    try:
        return modules()[name]
    except KeyError:
        near = difflib.get_close_matches(name, modules(), n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"known benchmarks: {', '.join(modules())}"
        raise UsageError(f"unknown benchmark {name!r}", hint) from None
