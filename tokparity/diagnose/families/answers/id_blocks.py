"""Whether ids change by their position or number: every third id is lost, blocks are reversed, rows are padded, ..."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, groupby
from math import gcd

from tokparity.behaviour import Behaviour
from tokparity.diagnose.evidence import Observation
from tokparity.diagnose.facts import Facts
from tokparity.diagnose.families.scores import joined_pieces
from tokparity.diagnose.hypothesis import Prediction, Variant, has_other_ids
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


def _but_the_middle(size: int, row: Row) -> Row:
    return row if len(row) <= size else [*row[:size], row[-1]]


_PLAIN: Mapping[str, Callable[[Row], Row]] = {
    "the ids come in reverse order": lambda row: row[::-1],
    "of equal ids in a row only one comes": lambda row: [one for one, _ in groupby(row)],
}
"""In words, and what it does with the right ids."""

_FIRST, _FIRST_AND_LAST = "only the first {} ids come", "only the first {} ids and the last one come"

_WAYS: Mapping[str, Callable[[int, Row], Row]] = {
    "of each {} ids the last is lost": _without_nth,
    "of each {} ids the last comes twice": _with_nth_twice,
    "each block of {} ids comes in reverse order": _turned,
    "each whole block of {} ids comes in reverse order": _whole_turned,
    "the first {} ids are lost": lambda size, row: row[size:],
    _FIRST: lambda size, row: row[:size],
    "only the last {} ids come": lambda size, row: row[-size:],
    _FIRST_AND_LAST: _but_the_middle,
}
"""The same with a number to be filled in."""


@dataclass(frozen=True)
class Padding:
    """One id is added on one side until there are `size` ids, or a multiple of that; longer rows may be `cut`."""

    id: int
    is_before: bool
    size: int
    repeats: bool
    cut: str = ""
    """The way in which longer rows are cut: a key of `_WAYS`."""
    kept: int = 0
    """The number in that way."""

    @property
    def says(self) -> str:
        """In words."""
        until = f"their number is a multiple of {self.size:,}" if self.repeats else f"there are {self.size:,} ids"
        added = f"the id {self.id} is added {'before' if self.is_before else 'behind'} the others until {until}"
        return f"{self.cut.format(f'{self.kept:,}')}, and {added}" if self.cut else added

    def __call__(self, row: Row) -> Row:
        row = _WAYS[self.cut](self.kept, row) if self.cut else row
        missing = -len(row) % self.size if self.repeats else self.size - len(row)
        added = [self.id] * missing
        return [*added, *row] if self.is_before else [*row, *added]


def _paddings(rows: Sequence[tuple[Row, Row]]) -> Iterator[Padding]:
    """What may fill up rows whose answers end, or begin, with one and the same id."""
    longer = [came for right, came in rows if len(right) < len(came)]
    lengths = {len(came) for _, came in rows}
    size = max(lengths)
    for is_before in (False, True) if longer else ():
        filler = longer[0][0 if is_before else -1]
        if len(longer) == len(rows):
            yield Padding(filler, is_before, size, repeats=False)
            yield Padding(filler, is_before, gcd(*lengths), repeats=True)
        elif len(lengths) == 1:  # all have the length that somebody wanted
            yield Padding(filler, is_before, size, False, _FIRST, size)
            yield Padding(filler, is_before, size, False, _FIRST_AND_LAST, size - 1)


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


_NONE = "no ids come for the text itself"


def _only_around(behaviour: Behaviour, question: Encode) -> Row:
    """The answer of a stub."""
    return [*behaviour.prefix_ids, *behaviour.suffix_ids] if question.add_special else []


def id_blocks(facts: Facts) -> Iterator[IdBlocks | Variant]:
    """The faults that explain the smallest mismatch, and some more."""
    some = [seen for seen in (facts.against, *facts.failing[:CONDITIONS]) if has_other_ids(seen)]
    rows = [(seen.ids, list(seen.actual.ids)) for seen in some if isinstance(seen.actual, Encoding)]
    if not rows:
        return
    texts = [] if facts.asking.is_stored else joined_pieces(facts.base)
    long = ["".join(texts[at : at + 8]) for at in range(0, len(texts), 8)]
    none = Variant(_NONE, partial(_only_around, facts.base.behaviour), [*chain(texts, long)])
    if facts.shows(none):
        yield none
    for says, of in _ways(rows):
        if all(list(of(right)) == came for right, came in rows):
            yield IdBlocks(says, of, [*chain(texts, long)])


def _ways(rows: Sequence[tuple[Row, Row]]) -> Iterator[tuple[str, Callable[[Row], Row]]]:
    """All that may have been done with the right ids, each with its number."""
    yield from _PLAIN.items()
    longest = max(len(right) for right, _ in rows)
    for says, way in _WAYS.items():
        for size in range(2, min(longest, LONGEST_ID_BLOCK) + 1):
            yield says.format(f"{size:,}"), partial(way, size)
    yield from ((padding.says, padding) for padding in _paddings(rows))
