"""Which characters which version of Unicode knows: the oracles' tables are older than ours, and not all of one age.

The `tokenizers` library (0.23.3) has Oniguruma's tables (Unicode 16), its own normal forms (Unicode 9), categories
(Unicode 8), scripts (Unicode 9), and Rust's lower case (Unicode 17). The installed `regex` package and `unicodedata`
may have any version. What must not depend on it comes from a file of ours (`unicode_ages`). Tests compare every code
point with the installed library.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Literal

import regex

from tokparity.reference.unicode_ages import Spans, character_class, merged, spans, unknown_to

_UNKNOWN = "\ufdd0"
"""A noncharacter: no letter, no number, no mark, of no script, in every version."""


@dataclass(frozen=True)
class Unknown:
    """Characters that some version does not know, and what stands in for each when its properties are looked up.

    `re` looks up a class of characters below U+10000 in a table, but tries ranges above it one by one. So the pattern
    matches all characters above, and bisection finds which of them are meant.
    """

    ranges: Spans
    stand_in: Callable[[str], str]

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        below = [(first, min(last, 0xFFFF)) for first, last in self.ranges if first <= 0xFFFF]
        return re.compile(f"[{character_class(tuple(below))}\U00010000-\U0010ffff]")

    @cached_property
    def _ends(self) -> tuple[list[int], list[int]]:
        return [first for first, _ in self.ranges], [last for _, last in self.ranges]

    def __contains__(self, character: str) -> bool:
        firsts, lasts = self._ends
        at = bisect_right(firsts, ord(character)) - 1
        return at >= 0 and ord(character) <= lasts[at]

    def replace(self, text: str) -> str:
        """The text, equally long, with a stand-in for each of the characters."""
        return text if self._pattern.search(text) is None else text.translate(self._table)

    def positions(self, text: str) -> Iterator[int]:
        """Where in the text the characters are."""
        return (found.start() for found in self._pattern.finditer(text) if found.group() in self)

    @cached_property
    def _table(self) -> _Table:
        return _Table(self)


class _Table(dict[int, int | str]):
    """What stands in a text for each character, by its number; worked out when it is first met, most for themselves."""

    def __init__(self, unknown: Unknown) -> None:
        super().__init__()
        self._unknown = unknown

    def __missing__(self, number: int) -> int | str:
        character = chr(number)
        found = self[number] = self._unknown.stand_in(character) if character in self._unknown else number
        return found


def _as_nobody(character: str) -> str:
    return _UNKNOWN


def _as_nobody_but_the_new(character: str) -> str:
    """Characters that the installed tables do not know stay; U+0295 becomes its neighbor in small letters."""
    if character == "\u0295":
        return "\u0296"
    return _UNKNOWN if _ASSIGNED.match(character) else character


_ASSIGNED = regex.compile(r"\P{Cn}")


@cache
def _not_in(version: int) -> Unknown:
    """What Unicode 8, 9 or 15 does not know, and what stands in for it."""
    return Unknown(unknown_to(version), _as_nobody)


@cache
def _not_in_16() -> Unknown:
    return Unknown(merged((*unknown_to(16), (0x295, 0x295))), _as_nobody_but_the_new)


_NUMBERS_17 = Unknown(spans("11DE0-11DE9 16FF4-16FF6"), lambda character: "0")


def as_of_16(text: str) -> str:
    """The text, equally long, with every character that Unicode 16 does not know replaced by one that nobody knows.

    So properties of characters that are looked up in the result are those of Unicode 16. U+0295, a letter without case
    since Unicode 17, becomes its neighbor in small letters. Characters that the installed tables do not know stay.
    """
    return text if text.isascii() else _not_in_16().replace(text)


@dataclass(frozen=True)
class AsOf:
    """As `as_of_16`, for another version of Unicode."""

    version: int

    def __call__(self, text: str) -> str:
        return text if text.isascii() else _not_in(self.version).replace(text)


as_of_15 = AsOf(15)
"""As `as_of_16`, for Unicode 15."""


def numbers_as_of_17(text: str) -> str:
    """As `as_of_16`, but the numeric characters that Unicode 17 added are there, as "0"."""
    return text if text.isascii() else _not_in_16().replace(_NUMBERS_17.replace(text))


def as_of_8(text: str) -> str:
    """As `as_of_16`, for Unicode 8."""
    return text if text.isascii() else _not_in(8).replace(text)


def as_of_9(text: str) -> str:
    """As `as_of_16`, for Unicode 9."""
    return text if text.isascii() else _not_in(9).replace(text)


def normal_form(form: Literal["NFC", "NFD", "NFKC", "NFKD"], text: str) -> str:
    """A normal form of Unicode 9.

    A character that Unicode 9 does not know is a starter that neither decomposes nor composes. So the text between
    such characters is normalized separately.
    """
    if text.isascii():
        return text
    parts: list[str] = []
    done = 0
    for at in _not_in(9).positions(text):
        parts += unicodedata.normalize(form, text[done:at]), text[at]
        done = at + 1
    parts.append(unicodedata.normalize(form, text[done:]))
    return "".join(parts)


@cache
def _lower_15_to_17() -> dict[int, int]:
    """Small letters of Unicode 15 to 17, which `str.lower` of older Pythons does not know."""
    single = {0x1C89: 0x1C8A, 0xA7CB: 0x264, 0xA7CC: 0xA7CD, 0xA7CE: 0xA7CF, 0xA7D2: 0xA7D3, 0xA7D4: 0xA7D5}
    single |= {0xA7DA: 0xA7DB, 0xA7DC: 0x19B, ord("\u03a3"): ord("\u03c3")}
    runs = ((0x10D50, 0x10D65, 0x20), (0x16EA0, 0x16EB8, 0x1B))
    return single | {c: c + offset for first, last, offset in runs for c in range(first, last + 1)}


def lower(text: str) -> str:
    """Small letters, character by character: a capital sigma at the end of a word becomes the ordinary small one."""
    return text.lower() if text.isascii() else text.translate(_lower_15_to_17()).lower()
