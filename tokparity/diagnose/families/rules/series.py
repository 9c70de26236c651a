"""Texts of growing length, to find the length from which on the engine is wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import cycle, islice

from tokparity.case import Case
from tokparity.diagnose.asking import MADE, Asking
from tokparity.diagnose.evidence import Observation
from tokparity.diagnose.families.rules.rules import MEASURES, AtLeast
from tokparity.diagnose.limits.families import FEWEST_FOR_A_NUMBER, STRAY_OF
from tokparity.diagnose.limits.texts import GAP, LONGEST_SERIES, LONGEST_SHOWING
from tokparity.outcome import Encoding
from tokparity.questions import Encode

_LETTERS = "etaoinshrdlucmfwypvbgkjqxz"
_WORDS = "the cat sat on a mat and saw two red hens go by "
_NONE = Encoding(())
_UNITS = ("a", _LETTERS, _WORDS, "世界人大", "\U0001f600")
_MORE_UNITS = ("é", " ", "\n", "1", "a ", "a\n")


def grow(smallest: Observation, asking: Asking) -> None:
    """Ask series of texts, and of each that fails at some length where that begins."""
    most = min(max(4 * len(smallest.text), 64), LONGEST_SERIES)
    lengths = [2**n for n in range(1, most.bit_length() + 1)]
    more = _MORE_UNITS if len(smallest.text) <= LONGEST_SHOWING else ()
    for unit in dict.fromkeys((*_UNITS, *more, smallest.text[:LONGEST_SERIES] or "a")):
        # A unit that is as long as the text itself is its prefixes.
        def text(length: int, unit: str = unit) -> str:
            return "".join(islice(cycle(unit), length))

        wrong = asking.wrong([text(length) for length in lengths])
        at = next((i for i, found in enumerate(wrong) if found), None)
        if at:
            _bisect(lengths[at - 1], lengths[at], text, asking)


def _bisect(right: int, failing: int, text: Callable[[int], str], asking: Asking) -> None:
    while failing - right > 1:
        middle = (right + failing) // 2
        if asking.wrong([text(middle)]) == [True]:
            failing = middle
        else:
            right = middle


def edges(failing: Sequence[Observation], right: Sequence[Observation]) -> Iterator[AtLeast]:
    """For each measure the edge that all the failing reach, and where there are many the one that nearly all reach."""
    for measure in MEASURES:
        values = sorted(map(measure.of, failing)) or [0]
        others = sorted(map(measure.of, right))
        if values[0] > 1 and len(failing) >= FEWEST_FOR_A_NUMBER and values[0] == values[-1]:
            yield AtLeast(measure, values[0], exactly=True)
        for edge in dict.fromkeys((values[0], values[len(values) // STRAY_OF])):
            below = max((value for value in others if value < edge), default=0)
            if edge > 1:
                yield AtLeast(measure, _round(below, edge) if edge - below <= GAP else edge)


def _round(below: int, edge: int) -> int:
    """The roundest number above one and up to another, by powers of two: nobody was asked between them."""
    return max(range(below + 1, edge + 1), key=lambda number: (number & -number, number))


def boundary(rule: AtLeast, asking: Asking, right: Sequence[str]) -> Iterator[str]:
    """Texts just below an edge and at it, and some further away."""
    for unit in (*rule.measure.units, *right, _WORDS, _LETTERS, "世界人大 ", "é", "a1 b2 ", "Az,. ", " ", "\n", "1"):
        most = len(unit) * (rule.edge + 8) if unit in rule.measure.units else 2 * rule.edge + 8
        long = "".join(islice(cycle(unit or "a"), min(most, LONGEST_SERIES)))
        at = _first(rule, long, asking)
        if at is not None:
            yield from (long[:at], long[: at - 1], long[: at + at // 3], long[: max(at - 1 - at // 3, 0)])


def _first(rule: AtLeast, text: str, asking: Asking) -> int | None:
    """After how many characters of a text the edge is first reached; None where it is not."""

    def reaches(length: int) -> bool:
        part = text[:length]
        if rule.measure.of_ids:
            asking.wrong([part])
        question = Encode(part.encode("utf-8", "surrogateescape"), asking.add_special, asking.parse_special)
        return rule.reaches(asking.seen.get(part) or Observation(Case(question, MADE), _NONE, _NONE))

    low, high = 0, len(text)
    if not reaches(high):
        return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if reaches(middle) else (middle, high)
    return high
