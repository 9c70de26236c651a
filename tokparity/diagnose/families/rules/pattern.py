"""Finds the pattern of characters that makes an engine wrong, by experiments on one small failing text."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

from tokparity.diagnose.asking import Asking
from tokparity.diagnose.families.rules.rules import Flags, Pattern
from tokparity.diagnose.limits.families import NEARLY_ANY
from tokparity.diagnose.limits.texts import (
    CLOSER,
    EDGE_CHARACTERS,
    EDGE_STEPS,
    FEW_EDGES,
    HALVED,
    LONGEST_PATTERN_TEXT,
    NEEDED,
)
from tokparity.diagnose.separate.characters import members, near, universe
from tokparity.diagnose.separate.classes import IS_TOKEN, CharacterClass, around, telling

_BESIDE = ("a", " ", "1", ".", "é", "a b")
_PLAIN = ("a", "b", "1", " ", ".", "é", "世", "\n")

Put = Callable[[Sequence[str]], tuple[list[str], list[str]]]
"""Asks characters in the place of another one; those that fail there, and those that are right."""


def pattern(text: str, asking: Asking) -> Pattern | None:
    """The pattern of a text on which the engine is wrong; None where asking does not show one."""
    if len(text) > LONGEST_PATTERN_TEXT or asking.wrong([text]) != [True]:
        return None
    # A letter beside a special token may itself be what makes it wrong.
    beside = sorted(_BESIDE, key=str.isalpha) if any(map(IS_TOKEN.holds, text)) else _BESIDE
    beside = [one for one in beside if asking.wrong([one]) != [True]]  # what is wrong by itself tells nothing
    before = dict(zip(beside, asking.wrong([one + text for one in beside]), strict=True))
    after = dict(zip(beside, asking.wrong([text + one for one in beside]), strict=True))
    at_start, at_end = (bool(found) and not any(found.values()) and None not in found.values()
                        for found in (before, after))  # fmt: skip
    of_line = (at_start or at_end) and _is_of_line(text, at_start, at_end, asking)
    if not text:
        return Pattern((), (), at_start, at_end, of_line)
    # What is looked at stands among others where it may, so that the edge of the text plays no part.
    head = "" if at_start else _beside(before)
    tail = "" if at_end else _beside(after)
    if sum(_is_needed(text, i, head, tail, asking) for i in range(len(text))) > NEEDED:
        return None
    places = [_place(text, i, head, tail, asking) for i in range(len(text))]
    if not asking.can or any(place is None for place in places):
        return None  # of what was not asked to the end nothing is known
    held = [place for place in places if place is not None]
    # Where any character does, it may be that there must be one.
    while len(held) > 1 and held[0][0] is None and not at_start and asking.wrong([text[-len(held) + 1 :]])[0]:
        held.pop(0)
    rest = text[len(text) - len(held) :]
    while len(held) > 1 and held[-1][0] is None and not at_end and asking.wrong([rest[: len(held) - 1]])[0]:
        held.pop()
    if all(one is None for one, _ in held):
        return None
    return Pattern(tuple(one for one, _ in held), tuple(examples for _, examples in held), at_start, at_end, of_line)


def _is_of_line(text: str, at_start: bool, at_end: bool, asking: Asking) -> bool:
    """Whether the beginning or the end of a line does as well as that of the text."""
    before, after = ("b\n" if at_start else ""), ("\nb" if at_end else "")
    return asking.wrong([before + text + after, before, after]) == [True, False, False]


def flags_of(text: str, asking: Asking) -> Flags:
    """The flags without which the engine is right on a text."""
    add, parse = asking.add_special, asking.parse_special
    is_right = [asking.with_flags(*flags).wrong([text]) == [False] for flags in ((not add, parse), (add, not parse))]
    return Flags(add if is_right[0] else None, parse if is_right[1] else None)


def _is_needed(text: str, place: int, head: str, tail: str, asking: Asking) -> bool:
    """Whether no plain character does at a place what the one that is there does."""
    others = [head + text[:place] + c + text[place + 1 :] + tail for c in _PLAIN if c != text[place]]
    return not any(asking.wrong(others))


def _beside(wrong: Mapping[str, bool | None]) -> str:
    """The first neighbor beside which the text is still wrong; none where it is only wrong alone."""
    return next((beside for beside, found in wrong.items() if found), "")


def _place(
    text: str, place: int, head: str, tail: str, asking: Asking
) -> tuple[CharacterClass | None, tuple[str, ...]] | None:
    """The class of the characters that do at a place what the one that is there does, and some of them."""

    def put(characters: Sequence[str]) -> tuple[list[str], list[str]]:
        texts = [head + text[:place] + c + text[place + 1 :] + tail for c in characters]
        pairs = list(zip(characters, asking.wrong(texts), strict=True))
        return [c for c, found in pairs if found], [c for c, found in pairs if found is False]

    own = text[place]
    if (place and place < len(text) - 1) or len(text) > 3:
        failing, right = put(_PLAIN)
        if not right:
            return None, tuple(failing)
    one, failing, right = sort_of(own, put)
    if own not in failing:
        return None
    if one is None and right:
        one = _without_a_piece(failing, right, asking) or around(own, failing, right)
        failing = [c for c in failing if one is None or one.holds(c)]
    if one is None and len(failing) >= NEARLY_ANY * (len(failing) + len(right)):
        return None, (*failing, *right)  # its test shows for how many
    return (one, tuple(failing)) if one is not None or not right else None


def _without_a_piece(failing: Sequence[str], right: Sequence[str], asking: Asking) -> CharacterClass | None:
    """The class that tells them apart among the characters that the model has no piece for."""
    asking.allow(2 * (len(failing) + len(right)))
    asking.wrong([text for c in (*failing, *right) for text in (c, c * 2)])
    of_bytes = [[c for c in some if asking.is_of_bytes(c)] for some in (failing, right)]
    one = telling(*of_bytes) if of_bytes[0] == list(failing) else None
    if one is None:
        return None
    return CharacterClass(f"{one.says} without a piece of its own", lambda c: one.holds(c) and asking.is_of_bytes(c))


def sort_of(own: str, put: Put) -> tuple[CharacterClass | None, list[str], list[str]]:
    """The class of characters that fail like one character, with those that were seen to fail and to pass."""
    failing, right = put([own, *near(own), *universe()])
    one = telling(failing, right) if right else None
    for _ in range(CLOSER if len(failing) > 1 else 0):
        if one is not None:
            more, fewer = put([*_edges(failing, right), *members(one), *near(min(failing)), *near(max(failing))])
            failing, right = _nearer([*failing, *more], [*right, *fewer], put)
            one = telling(failing, right)
    return one, failing, right


def _nearer(failing: list[str], right: list[str], put: Put) -> tuple[list[str], list[str]]:
    """Both with what is asked between a failing character and a right one, where there are few such edges, until there
    is nothing between them."""
    for _ in range(HALVED):
        fails = set(failing)
        pairs = [(ord(one), ord(other)) for one, other in pairwise(sorted({*failing, *right}))
                 if (one in fails) != (other in fails)]  # fmt: skip
        halves = [chr(h) for low, high in pairs if high - low > 1 and not 0xD800 <= (h := (low + high) // 2) < 0xE000]
        if not halves or len(pairs) > FEW_EDGES:
            break
        more, fewer = put(halves)
        failing, right = [*failing, *more], [*right, *fewer]
    return [*dict.fromkeys(failing)], [*dict.fromkeys(right)]


def _edges(failing: Sequence[str], right: Sequence[str]) -> list[str]:
    """Characters between a failing one and the next right one: where a range of code points may end."""
    fails = set(failing)
    ordered = sorted({*failing, *right})
    between = []
    for one, other in pairwise(ordered):
        if (one in fails) != (other in fails):
            low, high = ord(one), ord(other)
            step = max((high - low) // EDGE_STEPS, 1)
            between += [chr(p) for p in range(low + 1, high, step) if not 0xD800 <= p < 0xE000]
            between += [chr(p) for p in (low + 1, high - 1) if low < p < high and not 0xD800 <= p < 0xE000]
    return between[:: -(-len(between) // EDGE_CHARACTERS) or 1]
