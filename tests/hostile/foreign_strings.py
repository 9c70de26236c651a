"""Strings that act where they are printed, put into every field of a noun that holds text, by the noun's own types."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from hypothesis import strategies as st

from tokparity.case import Case, Origin
from tokparity.difference import Difference
from tokparity.report.model import Report

CONTROLS = [chr(code) for code in (*range(0x20), *range(0x7F, 0xA0)) if chr(code) != "\n"]
BIDI = [*"\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069", "\u2028", "\u2029"]
SURROGATES = ["\ud800", "\udbff", "\udc80", "\udcff", "\udfff"]
ACTING = re.compile(f"[{re.escape(''.join(CONTROLS + BIDI + SURROGATES))}]")
"""What may stand raw in nothing that we print or write to be read; a line end is layout."""

POISON = st.text(st.sampled_from([*"\x1b\r\x07", *CONTROLS, *BIDI, *SURROGATES]), min_size=1, max_size=6)
"""ESC, CR, BEL more often than each of the others."""


def acting(data: bytes | str) -> str:
    """The first place at which something acts, as a literal; empty where nothing does."""
    text = data if isinstance(data, str) else data.decode("utf-8")
    found = ACTING.search(text)
    return repr(text[max(found.start() - 80, 0) : found.end() + 20]) if found else ""


def acting_files(folder: Path) -> list[str]:
    """Which files of a folder hold something that acts; tables of Parquet are data, and no text."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file() and path.suffix != ".parquet")
    return [f"{path.name}: {found}" for path in files if (found := acting(path.read_bytes()))]


def poisoned(value: Any, poison: str, hint: Any = Any, keep: tuple[str, ...] = ("started",)) -> Any:
    """A noun with the poison behind every string in it that is not one of a few words, empty ones included.

    An empty list or table of strings gets one. So it holds for every field that a noun has, whoever adds one.
    """
    kind = get_origin(hint)
    if isinstance(value, str) and kind is not Literal:
        return value + poison
    if isinstance(value, bytes):
        return value + poison.encode("utf-8", "surrogatepass")
    if isinstance(value, Origin):
        return value._replace(name=value.name + poison)
    if isinstance(value, Case):
        return replace(value, origin=poisoned(value.origin, poison))
    if isinstance(value, Difference) or not (is_dataclass(value) or isinstance(value, tuple | Mapping)):
        return value
    if isinstance(value, tuple):
        return _list(value, poison, [one for one in get_args(hint) if one is not ...])
    if isinstance(value, Mapping):
        key, inner = get_args(hint) or (Any, Any)
        entries = value or ({"": ""} if (key, inner) == (str, str) else {})
        return {poisoned(k, poison, key): poisoned(v, poison, inner) for k, v in entries.items()}
    hints = get_type_hints(type(value))
    changed = {
        field.name: poisoned(getattr(value, field.name), poison, _plain(hints[field.name]))
        for field in fields(value)
        if field.name not in keep and field.init
    }
    return replace(value, **changed)  # type: ignore[type-var]


def _list(value: tuple[Any, ...], poison: str, hints: list[Any]) -> tuple[Any, ...]:
    if not value and hints == [str]:
        return (poison,)
    if len(hints) == len(value):
        return tuple(poisoned(one, poison, hint) for one, hint in zip(value, hints, strict=True))
    return tuple(poisoned(one, poison, hints[0] if hints else Any) for one in value)


def _plain(hint: Any) -> Any:
    """The type without None."""
    if get_origin(hint) in (Union, UnionType):
        inner = [one for one in get_args(hint) if one is not type(None)]
        return inner[0] if len(inner) == 1 else Any
    return hint


def poisoned_report(report: Report, poison: str) -> Report:
    """The report, whose findings keep their mismatches."""
    found = poisoned(report, poison)
    assert isinstance(found, Report)
    return found
