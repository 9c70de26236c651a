"""Where decoded text lacks a string: only before, after or between certain characters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from tokparity.diagnose.families.answers.related import Relation, Row, of_changed_text, text_of
from tokparity.diagnose.limits.families import FEWEST_ALIKE
from tokparity.diagnose.separate.names import named
from tokparity.diagnose.separate.neighbors import Beside, neighbors
from tokparity.questions.json_text import literal


@dataclass(frozen=True)
class _Places:
    """What stands beside a string where it is lost, and where it is not."""

    lost: Counter[Beside]
    kept: Counter[Beside]


def lost_where(string: str, answers: Sequence[tuple[Row, Row]], spared: Sequence[Row]) -> Iterator[Relation]:
    """A rule that a string is lost at certain places of the expected text; no `spared` text has it there."""
    places = _places(string, answers, spared)
    if min(places.lost.total(), places.kept.total()) < FEWEST_ALIKE:
        return
    for one in neighbors(places.lost, places.kept, negative=False):
        change = _without(string, one.holds)
        says = f"{named_string(string)} is lost {one.says} in the decoded text, and nothing else"
        yield of_changed_text(says, change)


def named_string(string: str) -> str:
    """A character with its name, more of them as a literal."""
    return named(string) if len(string) == 1 else literal(string)


def _places(string: str, answers: Sequence[tuple[Row, Row]], spared: Sequence[Row]) -> _Places:
    """Of texts in which the string stands twice side by side nothing is learned: which of the two is lost?"""
    lost: Counter[Beside] = Counter()
    kept: Counter[Beside] = Counter()
    for expected, actual in [*answers, *((right, right) for right in spared)]:
        text, came = text_of(expected), text_of(actual)
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


def _without(string: str, holds: Callable[[Beside], bool]) -> Callable[[str], str]:
    """A text without the string where that holds of what stands beside it."""

    def change(text: str) -> str:
        kept, at = "", 0
        while (start := text.find(string, at)) >= 0:
            kept, before, at = kept + text[at:start], text[max(start - 1, 0) : start], start + len(string)
            kept += "" if holds((before, text[at : at + 1])) else string
        return kept + text[at:]

    return change
