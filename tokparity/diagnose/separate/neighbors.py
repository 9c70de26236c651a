"""Which characters before or after a position, present or missing, separate some positions from others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import partial
from itertools import product

from tokparity.diagnose.limits.families import FEWEST_ALIKE
from tokparity.diagnose.separate.classes import CharacterClass, classes, telling
from tokparity.diagnose.separate.features import Feature

BESIDE = ("a", "B", "é", "я", "世", "1", "٣", ".", "!", "-", "$", "+", " ", "\t", "\n", "\u3000", "\u0301", "😀", "_")
"""Characters of all sorts that are put beside something."""

Beside = tuple[str, str]
"""The characters before and behind a place; empty at the ends of a text."""

_EDGE = CharacterClass("an end of the text", lambda character: False)

_SIDES: Mapping[int, tuple[str, str, str]] = {
    1: ("before {}", "not before {}", "at the end of a text"),
    0: ("behind {}", "not behind {}", "at the beginning of a text"),
}


def neighbors(yes: Counter[Beside], no: Counter[Beside], negative: bool = True) -> Iterator[Feature[Beside]]:
    """What separates some places from others: classes of characters, then missing ones, then lists."""
    listed: list[Feature[Beside]] = []
    for side, (before, _, edge) in _SIDES.items():
        one = _telling(_on_one_side(side, yes), _on_one_side(side, no))
        if one is not None:
            says = edge if one is _EDGE else before.format(one.says)
            found = Feature(says, partial(_holds, one, side))
            if one is _EDGE or one in classes():
                yield found
            else:
                listed.append(found)
    if negative:
        yield from _missing(yes, no)
    yield from _between(yes, no)
    yield from listed


def _missing(yes: Counter[Beside], no: Counter[Beside]) -> Iterator[Feature[Beside]]:
    """That none of a class stands there: the others are all beside one, and these beside none."""
    for side, (_, not_before, edge) in _SIDES.items():
        one = _telling(_on_one_side(side, no), _on_one_side(side, yes))
        if one is not None:
            says = f"not {edge}" if one is _EDGE else not_before.format(one.says)
            yield Feature(says, partial(_lacks, one, side))


def _between(yes: Counter[Beside], no: Counter[Beside]) -> Iterator[Feature[Beside]]:
    """Two classes, where no side tells it alone."""
    if not yes or not all(map(all, yes)):
        return  # at an end of a text nothing stands on one side
    sides = [[one for one in classes() if all(map(one.holds, some))] for some in zip(*yes, strict=True)]
    for before, behind in product(*sides):
        if not any(c and d and before.holds(c) and behind.holds(d) for c, d in no):
            yield Feature(f"between {before.says} and {behind.says}", partial(_is_between, before, behind))
            return


def _is_between(before: CharacterClass, behind: CharacterClass, beside: Beside) -> bool:
    return all(beside) and before.holds(beside[0]) and behind.holds(beside[1])


def _holds(one: CharacterClass, side: int, beside: Beside) -> bool:
    character = beside[side]
    return one is _EDGE if not character else one.holds(character)


def _lacks(one: CharacterClass, side: int, beside: Beside) -> bool:
    return not _holds(one, side, beside)


def _on_one_side(side: int, places: Counter[Beside]) -> Counter[str]:
    found: Counter[str] = Counter()
    for beside, times in places.items():
        found[beside[side]] += times
    return found


def _telling(yes: Counter[str], no: Counter[str]) -> CharacterClass | None:
    if not yes:
        return None
    if not any(yes) and "" not in no:
        return _EDGE
    one = telling(set(yes), set(no) - {""}) if "" not in yes else None
    if one is None or (one not in classes() and min(yes.values()) < FEWEST_ALIKE):
        return None  # a list of characters says something of those alone that were seen often enough
    return one


def around(shown: str) -> list[str]:
    """Texts in which something is next to characters of all classes."""
    pairs = [pair for c in BESIDE for pair in ((c, ""), ("", c), (c, c), (c, "a"), ("a", c))]
    return [before + shown + behind for before, behind in pairs]


def where(one: Feature[Beside]) -> str:
    """In words that follow a clause about what stands there."""
    missing = one.says.removeprefix("not ")
    return f"where it does not stand {missing}" if missing != one.says else f"where it stands {one.says}"
