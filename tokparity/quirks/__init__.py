"""Quirks: the known ways in which tokenizers differ, written so that they can be run.

A quirk that needs little more than a value is one record in the table of its stage: a module of this folder with
`QUIRKS`. One with code of its own has a module that is called like it, with `QUIRK`. Both are found by listing the
folder.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from types import ModuleType

from tokparity.behaviour import Behaviour, Stage
from tokparity.errors import CatalogueError, UsageError, nearest
from tokparity.quirk import Quirk
from tokparity.quirks.former_names import current


@cache
def _catalogue() -> Mapping[str, Quirk]:
    """Every quirk by name, found by listing this folder."""
    modules = [importlib.import_module(f"{__name__}.{entry.name}") for entry in pkgutil.iter_modules(__path__)]
    return catalogued(quirk for module in modules for quirk in _in_module(module))


def _in_module(module: ModuleType) -> Iterator[Quirk]:
    yield from getattr(module, "QUIRKS", ())
    if hasattr(module, "QUIRK"):
        yield module.QUIRK


def catalogued(quirks: Iterable[Quirk]) -> Mapping[str, Quirk]:
    """The quirks by name, sorted; CatalogueError if two have one name, or one place in one field."""
    found: dict[str, Quirk] = {}
    taken: dict[object, Quirk] = {}
    for quirk in quirks:
        if quirk.name in found:
            raise CatalogueError(f"two quirks are called {quirk.name!r}", "give one of them another name")
        found[quirk.name] = quirk
        if quirk.derive and (other := taken.setdefault(quirk.turn, quirk)) is not quirk:
            at = f"{quirk.derive.place.name} {quirk.derive.number} of the field {quirk.field!r}"
            raise CatalogueError(
                f"{other.name!r} and {quirk.name!r} both have the place {at}",
                "give one of them another number, so that it is known which is applied first",
            )
    return dict(sorted(found.items()))


def names() -> tuple[str, ...]:
    """The names of all quirks, sorted."""
    return tuple(_catalogue())


_APART = (Stage.STREAMING, Stage.SPANS, Stage.PROMPTS)
"""What shows only where it is asked for."""


@cache
def all_quirks() -> tuple[Quirk, ...]:
    """All quirks that show on a text or on a whole row of ids, sorted by name."""
    return tuple(quirk for quirk in _catalogue().values() if quirk.stage not in _APART)


@cache
def of_streams() -> tuple[Quirk, ...]:
    """All quirks that show only where ids are decoded one after another, sorted by name."""
    return tuple(quirk for quirk in _catalogue().values() if quirk.stage is Stage.STREAMING)


@cache
def of_spans() -> tuple[Quirk, ...]:
    """All quirks that show only where the characters of each id are asked for, sorted by name."""
    return tuple(quirk for quirk in _catalogue().values() if quirk.stage is Stage.SPANS)


@cache
def of_prompts() -> tuple[Quirk, ...]:
    """All quirks that show only in the prompts of chat templates, sorted by name."""
    return tuple(quirk for quirk in _catalogue().values() if quirk.stage is Stage.PROMPTS)


def get(name: str) -> Quirk:
    """The quirk called `name`, today or formerly; UsageError with the nearest name if there is none."""
    try:
        return _catalogue()[current(name)]
    except KeyError:
        hint = nearest(name, names(), "`tokparity quirks` lists them")
        raise UsageError(f"unknown quirk {name!r}", hint) from None


def clash(one: Quirk, other: Quirk) -> bool:
    """Whether one engine cannot have both quirks, because each sets its own value in the same field."""
    return one.field == other.field and one.derive is None and other.derive is None


def flip_all(quirks: Iterable[Quirk], behaviour: Behaviour) -> Behaviour:
    """The behavior of an engine with all these quirks, whatever their order and spelling."""
    for quirk in sorted(quirks, key=lambda quirk: quirk.turn):
        behaviour = quirk.flip(behaviour)
    return behaviour
