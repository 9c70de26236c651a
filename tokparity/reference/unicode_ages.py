"""Which version of Unicode added a character: read from `unicode_ages.txt` when it is first asked for.

`scripts/unicode_ages.py` makes that file from the Unicode Character Database.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

FILE = "unicode_ages.txt"
LATEST = 16
"""The latest version that the file tells of; the earliest is 9, and what came before that is in no line."""

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
    """The characters that came with the versions from `first` (9 or later) to `last`."""
    return merged(span for version in range(first, last + 1) for span in _lines()[str(version)])


def unknown_to(version: int) -> Spans:
    """The code points without a character in a version, 8 to 16."""
    return merged((*_lines()[UNASSIGNED], *added(version + 1)))


@cache
def _lines() -> Mapping[str, Spans]:
    """The file: a version, or the word for what none has, and its ranges."""
    import pkgutil  # here, because most commands never ask

    data = pkgutil.get_data("tokparity.reference", FILE)
    if data is None:
        raise FileNotFoundError(FILE)  # the loader cannot read files; ours are installed with the package
    lines = (line.partition(" ") for line in data.decode("ascii").splitlines() if not line.startswith("#"))
    return {name: spans(ranges) for name, _, ranges in lines}
