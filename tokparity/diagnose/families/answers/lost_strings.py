"""Where a string is lost in decoded text: before, behind or between which characters, and nowhere else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product

from tokparity.diagnose.families.answers.related import Relation, Row
from tokparity.diagnose.separate.classes import CharacterClass, classes, named, telling
from tokparity.questions.json_text import literal

_FEWEST = 3
"""Places at which it is lost, and at which it is not, before it is asked what tells them apart."""

Beside = tuple[str, str]
"""The characters before and behind a place; empty at the ends of a text."""

_EDGE = CharacterClass("an end of the text", lambda character: False)


@dataclass(frozen=True)
class _Places:
    """What stands beside a string where it is lost, and where it is not."""

    lost: Counter[Beside]
    kept: Counter[Beside]


def lost_where(string: str, answers: Sequence[tuple[Row, Row]], spared: Sequence[Row]) -> Iterator[Relation]:
    """That a string is lost at certain places of what was expected; what is `spared` has it at none of these."""
    places = _places(string, answers, spared)
    if min(places.lost.total(), places.kept.total()) < _FEWEST:
        return
    for says, holds in _rules(places):
        change = _without(string, holds)
        yield Relation(
            f"{named_string(string)} is lost {says} in the decoded text, and nothing else",
            lambda e, a, change=change: change(_text(e)) == _text(a),  # type: ignore[misc]
            lambda right, change=change: change(_text(right)) == _text(right),  # type: ignore[misc]
        )


def named_string(string: str) -> str:
    """A character with its name, more of them as a literal."""
    return named(string) if len(string) == 1 else literal(string)


def _places(string: str, answers: Sequence[tuple[Row, Row]], spared: Sequence[Row]) -> _Places:
    """Of texts in which the string stands twice side by side nothing is learned: which of the two is lost?"""
    lost: Counter[Beside] = Counter()
    kept: Counter[Beside] = Counter()
    for expected, actual in [*answers, *((right, right) for right in spared)]:
        text, came = _text(expected), _text(actual)
        at = given = 0
        while string * 2 not in text and (start := text.find(string, at)) >= 0:
            part, before, at = text[at:start], text[max(start - 1, 0) : start], start + len(string)
            if not came.startswith(part, given):
                break  # something else is wrong
            given += len(part)
            is_kept = came.startswith(string, given)
            (kept if is_kept else lost)[before, text[at : at + 1]] += 1
            given += is_kept * len(string)
    return _Places(lost, kept)


def _rules(places: _Places) -> Iterator[tuple[str, Callable[[Beside], bool]]]:
    """What tells the places at which it is lost from the others: classes of characters first, then lists of them."""
    sides = [
        (edge if one is _EDGE else f"{place} {one.says}", one in classes() or one is _EDGE, side, one)
        for side, place, edge in ((1, "before", "at the end of a text"), (0, "behind", "at the beginning of a text"))
        if (one := _telling(*(_on_one_side(side, some) for some in (places.lost, places.kept))))
    ]
    for says, is_class, side, one in sides:
        if is_class:
            yield says, lambda beside, one=one, side=side: _holds(one, beside[side])  # type: ignore[misc]
    yield from _between(places)
    for says, is_class, side, one in sides:
        if not is_class:
            yield says, lambda beside, one=one, side=side: _holds(one, beside[side])  # type: ignore[misc]


def _between(places: _Places) -> Iterator[tuple[str, Callable[[Beside], bool]]]:
    """Two classes, where no side tells it alone."""
    if not all(map(all, places.lost)):
        return  # at an end of a text nothing stands on one side
    sides = [[one for one in classes() if all(map(one.holds, some))] for some in zip(*places.lost, strict=True)]
    for before, behind in product(*sides):
        if not any(c and d and before.holds(c) and behind.holds(d) for c, d in places.kept):
            yield f"between {before.says} and {behind.says}", partial(_is_between, before, behind)
            return


def _is_between(before: CharacterClass, behind: CharacterClass, beside: Beside) -> bool:
    return all(beside) and before.holds(beside[0]) and behind.holds(beside[1])


def _holds(one: CharacterClass, character: str) -> bool:
    return one is _EDGE if not character else one.holds(character)


def _on_one_side(side: int, places: Counter[Beside]) -> Counter[str]:
    found: Counter[str] = Counter()
    for beside, times in places.items():
        found[beside[side]] += times
    return found


def _telling(lost: Counter[str], kept: Counter[str]) -> CharacterClass | None:
    if not any(lost) and "" not in kept:
        return _EDGE
    one = telling(set(lost), set(kept) - {""}) if "" not in lost else None
    if one is None or (one not in classes() and min(lost.values()) < _FEWEST):
        return None  # a list of characters says something of those alone that were seen often enough
    return one


def _without(string: str, holds: Callable[[Beside], bool]) -> Callable[[str], str]:
    """A text without the string where that holds of what stands beside it."""

    def change(text: str) -> str:
        kept, at = "", 0
        while (start := text.find(string, at)) >= 0:
            kept, before, at = kept + text[at:start], text[max(start - 1, 0) : start], start + len(string)
            kept += "" if holds((before, text[at : at + 1])) else string
        return kept + text[at:]

    return change


def _text(row: Row) -> str:
    return bytes(row).decode("utf-8", "surrogateescape")
