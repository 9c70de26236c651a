"""Classes of characters by Unicode's properties, and which class separates some characters from others."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import chain, combinations
from typing import Literal

from tokparity.diagnose.limits.families import (
    EXCEPTIONS,
    FEWEST_FOR_A_NUMBER,
    LISTED_CHARACTERS,
    RANGES,
    REMEMBERED,
    SORTS_OF_ALL,
)
from tokparity.diagnose.separate.names import named
from tokparity.diagnose.tokens import FIRST, FIRST_OTHER, MOST
from tokparity.reference.unicode_versions import as_of_8

_CATEGORIES = {
    "Lu": "an upper-case letter", "Ll": "a lower-case letter", "Lt": "a title-case letter", "Lm": "a modifier letter",
    "Lo": "a letter without case", "Mn": "a nonspacing mark", "Mc": "a spacing mark", "Me": "an enclosing mark",
    "Nd": "a decimal digit", "Nl": "a letter number", "No": "another number", "Pc": "a connector",
    "Pd": "a dash", "Ps": "an opening bracket", "Pe": "a closing bracket", "Pi": "an opening quotation mark",
    "Pf": "a closing quotation mark", "Po": "other punctuation", "Sm": "a mathematical symbol",
    "Sc": "a currency symbol", "Sk": "a modifier symbol", "So": "another symbol", "Zs": "a space separator",
    "Cc": "a control character", "Cf": "a format character", "Co": "a private-use character",
    "Cn": "an unassigned code point", "Cs": "a byte that is not UTF-8",
}  # fmt: skip
_MAJOR = {"L": "a letter", "M": "a mark", "N": "a number", "P": "punctuation", "S": "a symbol", "Z": "a separator"}
_UNIONS = {
    "a letter or a number": ("L", "N"), "a letter, a number or U+005F (LOW LINE)": ("L", "N", "_"),
    "a letter or a mark": ("L", "M"), "a letter, a mark or a number": ("L", "M", "N"),
    "a letter, a mark, a number or a connector": ("L", "M", "N", "Pc"), "punctuation or a symbol": ("P", "S"),
}  # fmt: skip
"""What pre-tokenizers tell apart."""
_PROPERTIES = (
    "White_Space", "Variation_Selector", "Extended_Pictographic", "Emoji_Modifier", "Regional_Indicator",
    "Default_Ignorable_Code_Point", "Cased", "Ideographic", "Join_Control", "Hex_Digit", "Dash", "Diacritic",
)  # fmt: skip
_SCRIPTS = (
    "Latin", "Greek", "Cyrillic", "Armenian", "Hebrew", "Arabic", "Syriac", "Thaana", "Devanagari", "Bengali",
    "Gurmukhi", "Gujarati", "Oriya", "Tamil", "Telugu", "Kannada", "Malayalam", "Sinhala", "Thai", "Lao", "Tibetan",
    "Myanmar", "Georgian", "Hangul", "Ethiopic", "Cherokee", "Khmer", "Mongolian", "Hiragana", "Katakana", "Bopomofo",
    "Han", "Yi", "Gothic", "Deseret", "Nko", "Canadian_Aboriginal", "Runic", "Ogham", "Braille", "Inherited",
)  # fmt: skip
ABOVE = (0x7F, 0xFF, 0x7FF, 0xFFFF)
_Form = Literal["NFC", "NFD", "NFKC", "NFKD"]
_FORMS: Sequence[_Form] = ("NFC", "NFD", "NFKC")


@dataclass(frozen=True)
class CharacterClass:
    """Characters of one sort, in words that follow "contains"."""

    says: str
    holds: Callable[[str], bool]
    is_one: bool = False
    """Whether it is one character."""


IS_SPECIAL = CharacterClass("a special token", lambda c: FIRST <= ord(c) < FIRST + MOST)
IS_OTHER_TOKEN = CharacterClass(
    "an added token that is not special", lambda c: FIRST_OTHER <= ord(c) < FIRST_OTHER + MOST
)
IS_TOKEN = CharacterClass("an added token", lambda c: FIRST <= ord(c) < FIRST_OTHER + MOST)


@cache
def classes() -> Sequence[CharacterClass]:
    """The classes that a sentence may name, the narrower ones of each sort first; added tokens have their own."""
    return IS_SPECIAL, IS_OTHER_TOKEN, IS_TOKEN, *map(_without_tokens, _classes())


def _without_tokens(one: CharacterClass) -> CharacterClass:
    return replace(one, holds=_Known(one).__getitem__)


class _Known(dict[str, bool]):
    """Whether characters are of a class, each looked at once: the same ones are asked about again and again."""

    def __init__(self, one: CharacterClass) -> None:
        super().__init__()
        self._one = one

    def __missing__(self, character: str) -> bool:
        if len(self) >= REMEMBERED:
            self.clear()
        found = self[character] = self._one.holds(character) and not IS_TOKEN.holds(character)
        return found


def _classes() -> Iterator[CharacterClass]:
    import regex

    def category(name: str) -> Callable[[str], bool]:
        return lambda c: unicodedata.category(c).startswith(name)

    def matching(pattern: str) -> Callable[[str], bool]:
        match = regex.compile(pattern).match
        return lambda c: match(c) is not None

    def above(edge: int) -> Callable[[str], bool]:
        return lambda c: ord(c) > edge and not "\ud800" <= c <= "\udfff"

    yield CharacterClass("an ASCII digit", lambda c: "0" <= c <= "9")
    yield CharacterClass("an ASCII letter", lambda c: c.isascii() and c.isalpha())
    yield CharacterClass("an ASCII upper-case letter", lambda c: "A" <= c <= "Z")
    for name, says in _CATEGORIES.items():
        yield CharacterClass(f"{says} ({name})", category(name))
    for name in _SCRIPTS:
        yield CharacterClass(f"a character of the script {name.replace('_', ' ')}", matching(rf"\p{{Script={name}}}"))
    for name in _PROPERTIES:
        yield CharacterClass(f"a character with the property {name}", matching(rf"\p{{{name}}}"))
    yield CharacterClass("white space or one of U+001C to U+001F", str.isspace)
    yield CharacterClass("a letter that changes in lower case", lambda c: c.lower() != c)
    for form in _FORMS:
        yield CharacterClass(f"a character that {form} changes", partial(_changes, form))
    yield CharacterClass("a composed character (NFD changes it, NFC does not)", lambda c: _only_changes("NFD", c))
    yield CharacterClass(
        "a compatibility character (NFKC changes it, NFC does not)", lambda c: _only_changes("NFKC", c)
    )
    for name, says in _MAJOR.items():
        yield CharacterClass(f"{says} ({name})", category(name))
    for says, names in _UNIONS.items():
        yield CharacterClass(says, partial(_is_of, names))
    symbolic = matching(r"[^\s\p{L}\p{N}]")
    yield CharacterClass("a character that is neither a letter, a number nor White_Space", symbolic)
    yield CharacterClass("an ASCII character", str.isascii)
    for edge in reversed(ABOVE):
        yield CharacterClass(f"a character above U+{edge:04X}", above(edge))
    # What languages ask for where a pattern means a category: `is_alphabetic`, `isnumeric`.
    yield CharacterClass("a character with the property Alphabetic", matching(r"\p{Alphabetic}"))
    yield CharacterClass("a character with a numeric value", str.isnumeric)


def _is_of(names: tuple[str, ...], character: str) -> bool:
    return character in names or unicodedata.category(character).startswith(names)


def _changes(form: _Form, character: str) -> bool:
    return not unicodedata.is_normalized(form, character)


def _only_changes(form: _Form, character: str) -> bool:
    return _changes(form, character) and not _changes("NFC", character)


def telling(failing: Collection[str], right: Collection[str]) -> CharacterClass | None:
    """The class that all the failing characters are in and none of the right; None if there is no simple one."""
    found = _telling(failing, right)
    few = len(failing) // 2
    # What other versions of Unicode have assigned belongs to no class of ours, so it may stand in the way of one; and
    # the oldest tables in use, of Unicode 8, know no later character.
    for known in (lambda c: unicodedata.category(c) != "Cn", lambda c: as_of_8(c) == c):
        found = found or _telling(*(list(filter(known, some)) for some in (failing, right)))
        found = found if found and sum(map(found.holds, failing)) > few else None  # or it is told of the few
    return found


def around(own: str, failing: Collection[str], right: Collection[str]) -> CharacterClass | None:
    """The class of one failing character that has most of the failing and none of the right; the others may fail for
    another reason. None if none has a few."""
    counted = [
        (sum(map(one.holds, failing)), one) for one in classes() if one.holds(own) and not any(map(one.holds, right))
    ]
    count, best = max(counted, key=lambda found: found[0], default=(0, None))
    return best if count >= FEWEST_FOR_A_NUMBER else None


def _telling(failing: Collection[str], right: Collection[str]) -> CharacterClass | None:
    if not failing:
        return None
    if len(failing) == 1:
        (only,) = failing
        return CharacterClass(named(only), only.__eq__, is_one=True)
    for one in classes():
        if all(map(one.holds, failing)) and not any(map(one.holds, right)):
            return one
    return _both(failing, right) or _but(failing, right) or _ranges(failing, right)


def both(one: CharacterClass, other: CharacterClass) -> CharacterClass:
    """What two classes have in common."""
    return CharacterClass(f"{one.says} that is {other.says}", lambda c: one.holds(c) and other.holds(c))


def _within(one: CharacterClass, low: str, high: str) -> CharacterClass:
    """The part of a class in one range of code points."""
    says = f"{one.says} from U+{ord(low):04X} to U+{ord(high):04X}"
    return CharacterClass(says, lambda c: low <= c <= high and one.holds(c))


def _both(failing: Collection[str], right: Collection[str]) -> CharacterClass | None:
    """What two classes have in common, or the part of a class in one range of code points."""
    low, high = min(failing), max(failing)
    if len(failing) < FEWEST_FOR_A_NUMBER or not any(low <= c <= high for c in right):
        return None
    held = [one for one in classes() if all(map(one.holds, failing))]
    parts = (both(*pair) for pair in combinations(held, 2))
    every = chain(parts, (_within(one, low, high) for one in held))
    return next((one for one in every if not any(map(one.holds, right))), None)


def _but(failing: Collection[str], right: Collection[str]) -> CharacterClass | None:
    """A class, or what two have in common, but for a few members: of another version of Unicode, mostly."""
    held = [one for one in classes() if all(map(one.holds, failing))] if len(failing) >= FEWEST_FOR_A_NUMBER else []
    low, high = (min(failing), max(failing)) if failing else ("", "")
    parts = (_within(one, low, high) for one in held)
    sorts = {unicodedata.category(c)[0] for c in failing if not IS_TOKEN.holds(c)}
    every_one = [CharacterClass("a character", lambda _: True)] if len(sorts) >= SORTS_OF_ALL else []
    every = chain(held, parts, (both(*pair) for pair in combinations(held, 2)), every_one)
    return next((but for one in every if (but := _but_some(one, right))), None)


def _but_some(one: CharacterClass, right: Collection[str]) -> CharacterClass | None:
    others = frozenset(filter(one.holds, right))
    if not 0 < len(others) <= EXCEPTIONS:
        return None
    says = f"{one.says} other than {', '.join(map(named, sorted(others)))}"
    return CharacterClass(says, lambda c: one.holds(c) and c not in others)


def _ranges(failing: Collection[str], right: Collection[str]) -> CharacterClass | None:
    """A few ranges of code points, or a short list."""
    ranges: list[tuple[str, str]] = []
    fails = set(failing)
    for character in sorted({*failing, *right}):
        if character in fails:
            # No range goes from characters to the added tokens, which stand behind all of them here.
            goes_on = ranges and ranges[-1][1] and IS_TOKEN.holds(ranges[-1][1]) == IS_TOKEN.holds(character)
            ranges.append((ranges.pop()[0] if goes_on else character, character))
        elif ranges and ranges[-1][1]:
            ranges.append(("", ""))  # a right character ends the range
    held = [(low, high) for low, high in ranges if high]
    if len(held) > RANGES:
        if len(failing) > LISTED_CHARACTERS:
            return None
        held = [(character, character) for character in sorted(failing)]
    return CharacterClass(" or ".join(_range(*ends) for ends in held), lambda c: any(a <= c <= b for a, b in held))


def _range(low: str, high: str) -> str:
    if low == high:
        return named(low)
    return "an added token" if IS_TOKEN.holds(low) else f"one of U+{ord(low):04X} to U+{ord(high):04X}"
