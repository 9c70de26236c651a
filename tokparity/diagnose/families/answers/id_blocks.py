"""Whether ids change by their position: every third id is lost, blocks of ids are reversed, and similar faults."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain

from tokparity.diagnose.evidence import Observation
from tokparity.diagnose.facts import Facts
from tokparity.diagnose.families.scores import joined_pieces
from tokparity.diagnose.hypothesis import Prediction, has_other_ids
from tokparity.diagnose.limits.families import CONDITIONS
from tokparity.diagnose.limits.texts import LONGEST_ID_BLOCK
from tokparity.outcome import Encoding
from tokparity.questions import Encode

Row = Sequence[int]


def _blocks(size: int, row: Row) -> list[Row]:
    return [row[at : at + size] for at in range(0, len(row), size)]


def _without_nth(size: int, row: Row) -> Row:
    return [one for n, one in enumerate(row, 1) if n % size]


def _with_nth_twice(size: int, row: Row) -> Row:
    return [one for n, one in enumerate(row, 1) for one in (one,) * (1 + (n % size == 0))]


def _turned(size: int, row: Row) -> Row:
    return [one for block in _blocks(size, row) for one in block[::-1]]


def _whole_turned(size: int, row: Row) -> Row:
    return [one for block in _blocks(size, row) for one in (block[::-1] if len(block) == size else block)]


_WAYS: Mapping[str, Callable[[int, Row], Row]] = {
    "of each {} ids the last is lost": _without_nth,
    "of each {} ids the last comes twice": _with_nth_twice,
    "each block of {} ids comes in reverse order": _turned,
    "each whole block of {} ids comes in reverse order": _whole_turned,
    "the first {} ids are lost": lambda size, row: row[size:],
    "only the first {} ids come": lambda size, row: row[:size],
    "only the last {} ids come": lambda size, row: row[-size:],
}
"""In words, with a number to be filled in, and what it does with the right ids."""


@dataclass(frozen=True)
class IdBlocks:
    """The hypothesis of one way with one number."""

    sentence: str
    of: Callable[[Row], Row]
    probes: Sequence[str]
    model: None = None

    def predict(self, seen: Observation) -> Prediction:
        """The ids that this fault makes of the right ids."""
        return Encoding(tuple(self.of(seen.ids))) if isinstance(seen.question, Encode) else None


def id_blocks(facts: Facts) -> Iterator[IdBlocks]:
    """The faults that explain the smallest mismatch, and some more."""
    some = [seen for seen in (facts.against, *facts.failing[:CONDITIONS]) if has_other_ids(seen)]
    rows = [(seen.ids, list(seen.actual.ids)) for seen in some if isinstance(seen.actual, Encoding)]
    if not rows:
        return
    longest = max(len(right) for right, _ in rows)
    texts = [] if facts.asking.is_stored else joined_pieces(facts.base)
    long = ["".join(texts[at : at + 8]) for at in range(0, len(texts), 8)]
    for says, way in _WAYS.items():
        for size in range(2, min(longest, LONGEST_ID_BLOCK) + 1):
            if all(list(way(size, right)) == came for right, came in rows):
                yield IdBlocks(says.format(f"{size:,}"), partial(way, size), [*chain(texts, long)])
