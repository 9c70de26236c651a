"""The numbers of a plot, ready for a template."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from tokparity.finding import Mismatch
from tokparity.outcome import Encoding

_SIDE = 140.0  # of the square that the points lie in
_MOST = 200  # points; more of them are one spot
_BARS = 6


@dataclass(frozen=True)
class Point:
    """`texts` texts at one place; x and y count from the upper left corner, as SVG does."""

    x: float
    y: float
    radius: float
    texts: int


@dataclass(frozen=True)
class Scatter:
    """Tokens per text: to the right the oracle's, up the engine's; both axes end at `most`, and are logarithmic."""

    points: Sequence[Point]
    most: int
    texts: int
    longer: int
    shorter: int


@dataclass(frozen=True)
class Bar:
    """One name with its count; `width` in per cent of the longest bar."""

    name: str
    count: int
    share: float
    width: float


def scatter(members: Sequence[Mismatch]) -> Scatter | None:
    """Of the mismatches in which both sides gave ids; None where there are none."""
    pairs = Counter(
        (m.expected.length, m.actual.length)
        for m in members
        if isinstance(m.expected, Encoding) and isinstance(m.actual, Encoding)
    )
    if not pairs:
        return None
    most = max(max(pair) for pair in pairs)
    points = [
        Point(_at(x, most), round(_SIDE - _at(y, most), 1), round(min(1.5 + math.log10(n) * 1.5, 7), 1), n)
        for (x, y), n in pairs.most_common(_MOST)
    ]
    longer = sum(n for (x, y), n in pairs.items() if y > x)
    shorter = sum(n for (x, y), n in pairs.items() if y < x)
    return Scatter(points, most, pairs.total(), longer, shorter)


def _at(tokens: int, most: int) -> float:
    return round(_SIDE * math.log1p(tokens) / math.log1p(max(most, 1)), 1)


def bars(counts: Sequence[tuple[str, int]]) -> list[Bar]:
    """The most frequent names; the others are one bar."""
    total = sum(count for _, count in counts)
    shown = list(counts) if len(counts) <= _BARS else [*counts[: _BARS - 1]]
    if len(shown) < len(counts):
        shown.append((f"{len(counts) - len(shown)} others", sum(count for _, count in counts[len(shown) :])))
    longest = max((count for _, count in shown), default=1)
    return [Bar(name, count, count / total, round(100 * count / longest, 1)) for name, count in shown]
