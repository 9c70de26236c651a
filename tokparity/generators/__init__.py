"""Generators: one module per family of generated texts.

A generator module has `NAME` (as on the command line) and `texts(seed, vocabulary) -> Iterator[bytes]`, endless and the
same for the same seed. A new generator is a new file here, nothing else.
"""

from __future__ import annotations

import difflib
import importlib
import pkgutil
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Protocol, cast

from tokparity.errors import UsageError
from tokparity.vocabulary import Vocabulary


class Generator(Protocol):
    """What every module in this folder that describes a generator has."""

    NAME: str
    __doc__: str | None

    def texts(self, seed: int, vocabulary: Vocabulary) -> Iterator[bytes]:
        """An endless stream of texts."""


@cache
def modules() -> Mapping[str, Generator]:
    """Every generator by name, found by listing this folder."""
    found: dict[str, Generator] = {}
    for entry in pkgutil.iter_modules(__path__):
        module = importlib.import_module(f"{__name__}.{entry.name}")
        if hasattr(module, "NAME"):
            found[module.NAME] = cast(Generator, module)
    return found


def names() -> tuple[str, ...]:
    """The names of all generators, sorted."""
    return tuple(sorted(modules()))


def get(name: str) -> Generator:
    """The generator called `name`; UsageError with the nearest name if there is none."""
    try:
        return modules()[name]
    except KeyError:
        near = difflib.get_close_matches(name, names(), n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"known generators: {', '.join(names())}"
        raise UsageError(f"unknown generator {name!r}", hint) from None
