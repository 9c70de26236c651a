"""What Oniguruma finds where case is ignored and one character is spelled like two or three: ß and ss, ﬃ and ffi.

In a run of literal characters, from left to right, two or three that are spelled like one character match that
character, too. A class with such a character also matches its spelling, after everything else. Looking behind finds
single characters only. All other differences of case are left to the `regex` package, but for i, ı, I and İ. Source:
`unravel_case_fold_string` and `i_apply_case_fold` of Oniguruma 6.9.10.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache, lru_cache

import regex

_I = "iIıİ"
_SPELLED = {"i": "iI", "I": "iI", "ı": "ı"}
"""`regex` takes the four letters of `_I` for two pairs that share a letter; to Oniguruma İ is spelled "i̇"."""


@cache
def _spellings() -> Mapping[str, str]:
    """For each spelling of two or three characters the single characters that are spelled so.

    There are 104 such characters, and Unicode promises never to change how they are folded.
    """
    found: dict[str, str] = {}
    for character in map(chr, range(0x10000)):
        if len(folded := character.casefold()) > 1:
            found[folded] = found.get(folded, "") + character
    return found


@cache
def _alike() -> Mapping[str, str]:
    """For each character that is not left to `regex` all that are the same but for their case."""
    return _SPELLED | {character: alike for alike in _spellings().values() for character in alike}


def _folded(character: str) -> str:
    """The character in the case by which spellings are compared."""
    folded = character.casefold()
    return folded if len(folded) == 1 else character


def _spelled(spelling: str) -> str:
    """A pattern for a spelling in any case."""
    return "".join(f"[{_SPELLED[c]}]" if c in _SPELLED else f"(?i:{c})" for c in spelling)


def literals(characters: str, looks_behind: bool) -> Iterator[tuple[int, str]]:
    """For a run of literal characters how many each pattern is for, and the pattern; "" where `regex` needs none."""
    at = 0
    while at < len(characters):
        count, pattern = 1, ""
        spelling = "" if looks_behind else _spelling_at(characters, at)
        if spelling:
            count, pattern = len(spelling), _either(spelling)
        elif (character := characters[at]) in _alike():
            folded = character.casefold()
            single = len(folded) == 1 or looks_behind or character in _SPELLED
            pattern = f"(?-i:[{_alike()[character]}])" if single else _either(folded)
        yield count, pattern
        at += count


def _spelling_at(characters: str, at: int) -> str:
    folded = "".join(map(_folded, characters[at : at + 3]))
    return next((spelling for spelling in (folded, folded[:2]) if spelling in _spellings()), "")


def _either(spelling: str) -> str:
    return f"(?-i:{_spelled(spelling)}|[{_spellings()[spelling]}])"


@lru_cache(maxsize=1024)
def joined(before: str, after: str) -> bool:
    """Whether a spelling begins in two characters and ends in the next two."""
    left, right = ("".join(map(_folded, characters)) for characters in (before, after))
    return any(
        left.endswith(spelling[:cut]) and right.startswith(spelling[cut:])
        for spelling in _spellings()
        for cut in range(1, len(spelling))
    )


@lru_cache(maxsize=1024)
def character_class(translated: str) -> str:
    """A class, as it is translated for `regex`, where case is ignored."""
    others = "".join(dict.fromkeys([*_alike(), *_I]))
    flags = "(?V1)(?-f)"
    try:
        named = set(regex.findall(f"{flags}{translated}", others))
        found = set(regex.findall(f"{flags}(?i){translated}", others))
    except (regex.error, RecursionError, OverflowError):
        return translated  # no pattern at all, which compiling the whole says
    negated = translated.startswith(("[^", r"[[\x00-\U0010ffff]--["))
    within = set(others) - named if negated else named
    closed = {alike for character in within for alike in _alike()[character]}
    right = set(others) - closed if negated else closed
    parts = [translated]
    if wrong := "".join(sorted(found - right)):
        parts[0] = f"(?!(?-i:[{wrong}])){translated}"
    if missing := "".join(sorted(right - found)):
        parts.append(f"(?-i:[{missing}])")
    if not negated:
        spellings = [spelling for spelling, alike in _spellings().items() if closed.issuperset(alike)]
        parts += [f"(?-i:{_spelled(spelling)})" for spelling in sorted(spellings, key=len)]
    return parts[0] if len(parts) == 1 and parts[0] == translated else f"(?:{'|'.join(parts)})"
