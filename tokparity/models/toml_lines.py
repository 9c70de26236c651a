"""On which line of a TOML file each table and key stands: a parser gives values, a message needs the line."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tokparity.models.toml_text import ends_of_statements, parsed

Place = tuple[str | int, ...]
"""Where a value stands: the keys that lead to it, and the numbers of tables in arrays, from 0 on."""


@dataclass(frozen=True)
class Statement:
    """A header or a key with its value: the place that it is about, and its lines, `first` and up to `end`, from 0."""

    place: Place
    first: int
    end: int
    is_header: bool


def statements(text: str) -> Iterator[Statement]:
    """All headers and keys of a text that is valid TOML, in order; comments and empty lines belong to none."""
    lines = text.replace("\r\n", "\n").split("\n")
    table: Place = ()
    seen: dict[Place, int] = {}  # how many tables of an array there were
    first = 0
    for end in ends_of_statements("\n".join(lines)):
        if said := parsed("\n".join(lines[first:end])):
            is_header = lines[first].lstrip().startswith("[")
            place, value = _path(said)
            if is_header:
                if isinstance(value, list):
                    seen[place] = seen.get(place, -1) + 1
                table = place = (*place, seen[place]) if place in seen else place
            yield Statement(place if is_header else (*table, *place), first, end, is_header)
        first = end


def lines_of(text: str) -> dict[Place, int]:
    """The line, from 1 on, of each table and key; of a table with several headers the first."""
    found: dict[Place, int] = {}
    for statement in statements(text):
        found.setdefault(statement.place, statement.first + 1)
    return found


def _path(said: dict[str, Any]) -> tuple[Place, object]:
    """The keys that lead to the one value of a statement. The value of `a.b = {...}` may be looked into as well."""
    place: list[str | int] = []
    value: object = said
    while isinstance(value, dict) and len(value) == 1:
        ((key, value),) = value.items()
        place.append(key)
    return tuple(place), value
