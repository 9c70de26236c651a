"""Which version of Unicode added a character: read from `unicode_ages.txt` when it is first asked for.

What versions 17 and 18 added, which no reference knows, stands in `unicode_newer.txt`.

`scripts/unicode_ages.py` makes that file from the Unicode Character Database.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import chain

FILE, NEWER = "unicode_ages.txt", "unicode_newer.txt"
LATEST = 16
"""The latest version that the file tells of; the earliest is 9, and what came before that is in no line."""

NEWEST = 18
"""The latest version that the other file tells of, which begins after `LATEST`."""

UNASSIGNED = "unassigned"
"""The line of the code points that are not a character in the latest version."""

WHITESPACE = (
    "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)
"""White_Space, the same in every version since 6.3. Python's `str.isspace` has U+001C to U+001F as well."""

Spans = tuple[tuple[int, int], ...]
"""Ranges of code points: the first and the last of each, in ascending order."""


def spans(ranges: str) -> Spans:
    """Ranges written like "378-379 38B"."""
    ends = (item.partition("-") for item in ranges.split())
    return tuple((int(first, 16), int(last or first, 16)) for first, _, last in ends)


def merged(ranges: Iterable[tuple[int, int]]) -> Spans:
    """Return the same code points in as few ranges as possible."""
    found: list[tuple[int, int]] = []
    for first, last in sorted(ranges):
        if found and first <= found[-1][1] + 1:
            found[-1] = found[-1][0], max(last, found[-1][1])
        else:
            found.append((first, last))
    return tuple(found)


def character_class(ranges: Spans) -> str:
    """Ranges as the inside of a character class."""
    return "".join(f"\\U{first:08x}-\\U{last:08x}" for first, last in ranges)


def added(first: int, last: int = LATEST) -> Spans:
    """The characters that came with the versions from `first` (9 or later) to `last` (18 at most)."""
    known = range(first, min(last, LATEST) + 1)
    return merged((*chain.from_iterable(_lines()[str(version)] for version in known), *_added_last(first, last)))


def unknown_to(version: int) -> Spans:
    """The code points without a character in a version, 8 to 16."""
    return merged((*_lines()[UNASSIGNED], *added(version + 1)))


@cache
def newer(first: int, last: int) -> Mapping[str, Spans]:
    """What the versions from 17 on added, from `first` to `last`: by category, or category and script ("Lo/Han")."""
    found: dict[str, Spans] = {}
    for since, line in _read(NEWER):
        category, _, ranges = line.partition(" ")
        if first <= int(since) <= last:
            found[category] = merged((*found.get(category, ()), *spans(ranges)))
    return found


def _added_last(first: int, last: int) -> Iterator[tuple[int, int]]:
    return chain.from_iterable(newer(first, last).values() if last > LATEST else ())


@cache
def _lines() -> Mapping[str, Spans]:
    """The file: a version, or the word for what none has, and its ranges."""
    return {name: spans(ranges) for name, ranges in _read(FILE)}


def _read(file: str) -> Iterator[tuple[str, str]]:
    """The first word of each line of a file, and the others."""
    import pkgutil  # here, because most commands never ask

    data = pkgutil.get_data("tokparity.reference", file)
    if data is None:
        raise FileNotFoundError(file)  # the loader cannot read files; ours are installed with the package
    for line in data.decode("ascii").splitlines():
        if not line.startswith("#"):
            name, _, rest = line.partition(" ")
            yield name, rest
