"""Quirks, one file each: the known ways in which tokenizers differ, written so that they can be run.

A file in this folder with a `QUIRK` is a quirk and is called like it; the deviant function, if there is one, lives in
the same file. The pre-tokenisers that an engine may mix up are a table already (`reference/pretokenisers.py`), so the
quirks "uses the wrong one" are made from it.
"""

from __future__ import annotations

import difflib
import importlib
import pkgutil
from collections.abc import Iterable, Mapping
from functools import cache

from tokparity.behaviour import Behaviour
from tokparity.errors import UsageError
from tokparity.quirk import Quirk
from tokparity.quirks.wrong_pretokeniser import wrong_pretokenisers


@cache
def _catalogue() -> Mapping[str, Quirk]:
    """Every quirk by name, found by listing this folder."""
    modules = (importlib.import_module(f"{__name__}.{entry.name}") for entry in pkgutil.iter_modules(__path__))
    found: list[Quirk] = [module.QUIRK for module in modules if hasattr(module, "QUIRK")]
    return {quirk.name: quirk for quirk in sorted([*found, *wrong_pretokenisers()], key=lambda quirk: quirk.name)}


def names() -> tuple[str, ...]:
    """The names of all quirks, sorted."""
    return tuple(_catalogue())


def all_quirks() -> tuple[Quirk, ...]:
    """All quirks, sorted by name."""
    return tuple(_catalogue().values())


def get(name: str) -> Quirk:
    """The quirk called `name`; UsageError with the nearest name if there is none."""
    try:
        return _catalogue()[name]
    except KeyError:
        near = difflib.get_close_matches(name, names(), n=1)
        hint = f"did you mean {near[0]!r}?" if near else "`tokparity quirks` lists them"
        raise UsageError(f"unknown quirk {name!r}", hint) from None


def clash(one: Quirk, other: Quirk) -> bool:
    """Whether an engine cannot have both: each puts a value of its own into the same field."""
    return one.field == other.field and one.derive is None and other.derive is None


def flip_all(quirks: Iterable[Quirk], behaviour: Behaviour) -> Behaviour:
    """The behaviour of an engine that has all these quirks, whatever the order in which they are named.

    First those that put in a value, then those that wrap what is there.
    """
    for quirk in sorted(quirks, key=lambda quirk: (quirk.derive is not None, quirk.name)):
        behaviour = quirk.flip(behaviour)
    return behaviour
