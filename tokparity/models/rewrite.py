"""Changes a tokparity.toml line by line, so that comments, order and spelling of all else stay as they are."""

from __future__ import annotations

import datetime
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from tokparity.errors import UsageError
from tokparity.models.record import AcceptedFinding
from tokparity.models.toml_lines import Statement, statements

_ABOUT = ("engine", "quirks", "key", "value", "text", "told", "kind", "origins", "gives", "damage", "cases")
_ORDER = (*_ABOUT, "reason", "link", "date")


@dataclass(frozen=True)
class ListChange:
    """A change of one model's list: entries to append, and indices (from 0 on) to remove."""

    added: Sequence[AcceptedFinding] = ()
    removed: Collection[int] = ()


def rewritten(text: str, changes: Mapping[str, ListChange]) -> str:
    """The text with the lists of some models changed; UsageError where a list is not written as tables."""
    newline = "\r\n" if "\r\n" in text else "\n"
    lines = text.replace("\r\n", "\n").split("\n")
    found = list(statements(text))
    gone: set[int] = set()
    new: dict[int, list[str]] = {}
    for name, change in changes.items():
        own = [one for one in found if one.place[:2] == ("models", name)]
        _check(name, own, change)
        for index in change.removed:
            gone.update(_lines_of_entry(name, index, own, lines))
        if change.added:
            new[own[-1].end] = [line for entry in change.added for line in ("", *spelled(name, entry))]
    return newline.join(_merged(lines, gone, new))


def _check(name: str, own: Sequence[Statement], change: ListChange) -> None:
    """Raise for a model or a list that is one value in one place: lines can't be put into it."""
    header = any(one.is_header and one.place == ("models", name) for one in own)
    if not header and not any(one.place[:3] == ("models", name, "accepted") and one.is_header for one in own):
        raise UsageError(f"the model {name!r} has no table of its own", f"begin it with the line [models.{name}]")
    in_one = any(one.place == ("models", name, "accepted") and not one.is_header for one in own)
    if in_one and (change.added or change.removed):
        raise UsageError(
            f"the accepted findings of {name!r} are one value in tokparity.toml",
            f"write a table [[models.{name}.accepted]] for each finding",
        )


def _lines_of_entry(name: str, index: int, own: Sequence[Statement], lines: Sequence[str]) -> range:
    """The lines of an accepted finding, from its header to its last value, and the empty lines before it."""
    parts = [one for one in own if one.place[:4] == ("models", name, "accepted", index)]
    first = parts[0].first
    while first > 0 and not lines[first - 1].strip():
        first -= 1
    return range(first, parts[-1].end)


def _merged(lines: Sequence[str], gone: Collection[int], new: Mapping[int, Sequence[str]]) -> Iterator[str]:
    for number, line in enumerate(lines):
        yield from new.get(number, ())
        if number not in gone:
            yield line
    yield from new.get(len(lines), ())


def spelled(name: str, entry: AcceptedFinding) -> Iterator[str]:
    """The lines of an accepted finding of a model."""
    import tomlkit

    yield f"[[models.{tomlkit.key(name).as_string()}.accepted]]"
    for field in _ORDER:
        value = getattr(entry, field)
        if value and not (field == "kind" and value == "ids"):
            yield f"{field} = {_value(field, value)}"


def spelled_model(name: str, files: Mapping[str, PurePath]) -> Iterator[str]:
    """The lines of a model that has nothing but files, by the keys that name them."""
    import tomlkit

    yield f"[models.{tomlkit.key(name).as_string()}]"
    for key, path in files.items():
        yield f"{key} = {_value(key, path.as_posix())}"


def _value(field: str, value: str | Sequence[str]) -> str:
    import tomlkit

    if field == "date":
        return datetime.date.fromisoformat(str(value)).isoformat()
    if field == "text" and isinstance(value, str):
        return _as_it_is(value)
    if field == "gives":
        return f"[{', '.join(map(_as_it_is, value))}]"
    return tomlkit.item(list(value) if not isinstance(value, str) else value).as_string()


def _as_it_is(value: str) -> str:
    """A JSON literal, in quotes within which no character has a meaning where that can be."""
    import tomlkit

    return f"'{value}'" if "'" not in value and value.isprintable() else tomlkit.item(value).as_string()
