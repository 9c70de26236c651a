"""Families of characters: a regular expression that cuts a text into words, at most of its seams, in one go.

Characters that are adjacent in some piece are of one family, and so are all that others connect. Letters are in one,
digits and punctuation in another, a script in a third. Where two families meet, there is a seam.
"""

from __future__ import annotations

import re
from functools import lru_cache

_MOST = 8
"""How many families are told apart; all others count as one family more, which only means fewer cuts."""
_BEYOND = "\U00010000"
"""Represents all characters beyond the Basic Multilingual Plane: `re` is slow to find single ones in a class."""


@lru_cache(maxsize=16)  # tokenizers of one vocabulary that behave otherwise have the same pairs
def words_pattern(pairs: frozenset[str], marker: str) -> re.Pattern[str]:
    """A pattern for one word: markers, then characters of one family; more of both only after a character that some
    piece joins to a marker.

    `pairs` are the adjacent characters of all pieces. `marker` is the character that most words begin with, or empty.
    """
    families = _families(pairs, marker)
    runs = [f"[{_class_of(family)}]+" for family in families[:_MOST]]
    if families[_MOST:]:
        runs.append(f"[{_class_of(set().union(*families[_MOST:]))}]+")
    m = re.escape(marker)
    run = "|".join([*runs, f"[^{m}]" if marker else "."])  # what is in no family stands alone
    if not marker:
        return re.compile(run, re.DOTALL)
    joined = "".join(re.escape(pair[0]) for pair in sorted(pairs) if pair[1] == marker and pair[0] != marker)
    more = f"(?:(?<=[{joined}]){m}+(?:{run})?)*" if joined else ""
    # Markers only stay together if a piece joins two of them; otherwise each is a seam of its own, left to be found.
    return re.compile(f"{m}*(?:{run}){more}|{m}+")


def _families(pairs: frozenset[str], marker: str) -> list[set[str]]:
    """The families, those with the most of ASCII first, then the largest; the marker is in none, as it goes before all.

    The line end is a family even if it is in no piece: a line often comes again, but not with the next one.
    """
    family_of = {"\n": {"\n"}}
    for pair in pairs:
        if marker and marker in pair:
            continue
        left, right = (min(character, _BEYOND) for character in pair)
        small = family_of.setdefault(left, {left})
        large = family_of.setdefault(right, {right})
        if small is not large:
            small, large = sorted((small, large), key=len)
            large |= small
            family_of.update(dict.fromkeys(small, large))
    families = {id(family): family for family in family_of.values()}.values()
    return sorted(families, key=lambda family: (-sum(map(str.isascii, family)), -len(family), min(family)))


def _class_of(family: set[str]) -> str:
    """The inside of a character class."""
    beyond = f"{_BEYOND}-\U0010ffff" if _BEYOND in family else ""
    return "".join(re.escape(character) for character in sorted(family - {_BEYOND})) + beyond
