"""Quirks of splitting with character tables of another version of Unicode than the model's own tokenizer has."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

from tokparity.behaviour import Behaviour, Pretokenise
from tokparity.quirk import Derived, Place, Quirk
from tokparity.quirks import toys
from tokparity.quirks.changed_stages import OfWords
from tokparity.reference.pattern_parts import GPT2
from tokparity.reference.splits import Chain, OnAlphabet, Split
from tokparity.reference.unicode_ages import LATEST, added, character_class, newer

_UNASSIGNED = "\ufdd0"
_ALIKE = {
    "Lu": "\u00c0",
    "Ll": "\u00e0",
    "Lm": "\u02b0",
    "Lo": "\u05d0",
    "Mn": "\u0300",
    "Mc": "\u0903",
    "Nd": "\u0660",
    "Nl": "\u16ee",
    "Po": "\u00bf",
    "Ps": "\u2045",
    "Pe": "\u2046",
    "Sc": "\u20ac",
    "Sk": "\u00a8",
    "Sm": "\u00b1",
    "So": "\u00a9",
    "Lm/Han": "\u3005",
    "Lo/Han": "\u3400",
    "Nl/Han": "\u3007",
}
"""An old character of each category, and of the script Han; none is in ASCII, which patterns spell out."""

_LETTER_OF_17 = 0x295
"""A small letter that is one without case since Unicode 17."""


@dataclass(frozen=True)
class Unassigned:
    """A text in which the members of a character class are code points without a character."""

    members: str

    def __call__(self, text: str) -> str:
        return re.sub(self.members, _UNASSIGNED, text)


@dataclass(frozen=True)
class AsNewer:
    """A text in which each character that Unicode 17 up to this version added is an old one of its category."""

    version: int

    def __call__(self, text: str) -> str:
        return text if text.isascii() else text.translate(_stand_ins(self.version))


@cache
def _stand_ins(version: int) -> dict[int, str]:
    return {_LETTER_OF_17: _ALIKE["Lo"]} | {
        point: _ALIKE[category]
        for category, ranges in newer(LATEST + 1, version).items()
        for first, last in ranges
        for point in range(first, last + 1)
    }


@dataclass(frozen=True)
class OtherTables(OfWords):
    """Splits as before, but of a text as other tables see it, which is equally long."""

    inner: Pretokenise
    seen_as: Callable[[str], str]

    def __call__(self, text: str, at_start: bool) -> Sequence[str]:
        seen = self.seen_as(text)
        words = self.inner(seen, at_start)
        if seen == text:
            return words
        found: list[str] = []
        done = 0
        for word in words:
            start = seen.index(word, done)
            done = start + len(word)
            found.append(text[start:done])
        return found


def not_knowing(number: int, members: Callable[[], str]) -> Derived:
    """A `derive` for character tables that lack the members of a character class."""
    return seeing_as(number, lambda: Unassigned(members()))


def seeing_as(number: int, seen_as: Callable[[], Callable[[str], str]]) -> Derived:
    """A `derive` for other character tables."""

    def make(behaviour: Behaviour) -> Pretokenise | None:
        inner, seen = behaviour.pretokenise, seen_as()
        if isinstance(inner, Chain):  # stages that see bytes look nothing up that came with a version
            other = (one if isinstance(one, OnAlphabet) else OtherTables(one, seen) for one in inner.stages)
            return Chain(tuple(other))
        return OtherTables(inner, seen) if inner else None

    return Derived(Place.BEFORE, number, make)


_CAME_LATER = {
    9: ("\u0860", "à", "Masaram Gondi, Soyombo, Zanabazar Square, more of Syriac"),
    10: ("\u1c90", "á", "Georgian capitals, Dogra, Hanifi Rohingya, Medefaidrin"),
    11: ("\u0e86", "à", "Elymaic, Nandinagari, Wancho, more of Lao"),
    12: ("\u08be", "à", "Chorasmian, Dives Akuru, Yezidi, segmented digits"),
    13: ("\u0870", "à", "Cypro-Minoan, Tangsa, Toto, Vithkuqi"),
    14: ("\U00011f04", "ð", "Kawi, Nag Mundari, more of Cyrillic"),
    15: ("\u1c89", "á", "Garay, Todhri, Tulu-Tigalari, the extended hieroglyphs"),
}
"""Version: a letter that came with the next one, its first byte in the byte alphabet, and what else came with that."""


def _has_tables_of(version: int) -> Quirk:
    """The quirk of tables that are so old."""
    letter, byte, came = _CAME_LATER[version]
    return Quirk(
        name=f"has_tables_of_unicode_{version}",
        title=f"Splits words with the character tables of Unicode {version}",
        symptom=f"Letters, digits and marks that Unicode added later ({came}) are split off as if they were symbols.",
        cause="The regular-expression engine has older tables than the model's own tokenizer.",
        fix="Update the Unicode tables of the regular-expression engine.",
        field="pretokenise",
        derive=not_knowing(25 - version, lambda: f"[{character_class(added(version + 1))}]"),
        witness=lambda: toys.byte_bpe(f"a+{byte}", pretokenise=Split(GPT2)).on(f"a{letter}"),
    )


_CAME_LAST = {
    17: ("\ua7ce", "ê", "Beria Erfe, Sidetic, Tai Yo, Tolong Siki"),
    18: ("\ua7dd", "ê", "small seal script, Jurchen"),
}
"""Version: a letter that came with it, that letter's first byte in the byte alphabet, and what else came with it."""


def _has_newer_tables(version: int) -> Quirk:
    """The quirk of tables that are newer than those of every tokenizer that a model was trained with."""
    letter, byte, came = _CAME_LAST[version]
    return Quirk(
        name=f"has_tables_of_unicode_{version}",
        title=f"Splits words with the character tables of Unicode {version}",
        symptom=f"Letters, digits and marks that Unicode {version} added ({came}) stay in their words. The model's "
        "own tokenizer splits them off as if they were symbols.",
        cause="The regular-expression engine has newer tables than the model's own tokenizer.",
        fix=f"Nothing is wrong with the text. For equal ids, use the tables of Unicode {LATEST}.",
        field="pretokenise",
        derive=seeing_as(25 - version, lambda: AsNewer(version)),
        witness=lambda: toys.byte_bpe(f"a+{byte}", pretokenise=Split(GPT2)).on(f"a{letter}"),
    )


QUIRKS = (*map(_has_tables_of, _CAME_LATER), *map(_has_newer_tables, _CAME_LAST))
