"""Ways to rewrite a text before it is tokenized: cut it, change it, map characters by a table."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby, pairwise

from tokparity.diagnose.limits.families import TOLD
from tokparity.diagnose.separate.classes import CharacterClass
from tokparity.diagnose.separate.features import Feature
from tokparity.diagnose.separate.names import named
from tokparity.diagnose.separate.neighbors import Beside, where
from tokparity.questions.json_text import literal

Place = Callable[[bool, bool], bool]
"""Whether a text is cut between two characters, of each of which is known whether it is of the sort."""

_CUTS: dict[str, Place] = {
    "cut wherever {0} follows {0}": lambda before, after: before and after,
    "cut before and after {0}": lambda before, after: before or after,
    "cut before {0}": lambda before, after: after,
    "cut after {0}": lambda before, after: before,
    "cut where a run of {0} begins or ends": lambda before, after: before is not after,
}
_CHANGES: dict[str, Callable[[str], str]] = {
    "without {0}": lambda character: "",
    "with a space in place of {0}": lambda character: " ",
    "with {0} in lower case": str.lower,
    "with {0} in upper case": str.upper,
}
_TABLE = "with {0}"
_GROUP = 3
_GROUPED: dict[str, bool] = {
    "cut into groups of three, counted from the left, where {0} follows {0}": False,
    "cut into groups of three, counted from the right, where {0} follows {0}": True,
}
"""As the digits of numbers are; and whether the last group of a run is whole."""
_PLAINEST = (*_CUTS, *_CHANGES, *_GROUPED, _TABLE)


@dataclass(frozen=True)
class Rewriting:
    """What is done with characters of one sort: `parts` are the texts that a text is then taken for."""

    clause: str
    sort: CharacterClass
    """The characters."""
    rewrite: Callable[[Sequence[bool], str], tuple[str, ...]]
    """What becomes of a text of which it is known which characters it is done with."""
    longest_run: int = 3
    """How many of these characters in a row, at most, show what it does."""
    where: Feature[Beside] | None = None
    """What must stand beside such a character, or must not."""

    @property
    def says(self) -> str:
        """In words that follow "the text"."""
        return self.clause.format(self.sort.says) + (f" {where(self.where)}" if self.where is not None else "")

    @property
    def plainness(self) -> int:
        """How plain it is: 0 is the plainest."""
        return _PLAINEST.index(self.clause) if self.clause in _PLAINEST else len(_PLAINEST)

    def parts(self, text: str) -> tuple[str, ...]:
        """What a text is taken for."""
        held = [self.sort.holds(c) for c in text]
        if self.where is not None:
            beside = ((text[max(i - 1, 0) : i], text[i + 1 : i + 2]) for i in range(len(text)))
            held = [one and self.where.holds(its) for one, its in zip(held, beside, strict=True)]
        return self.rewrite(held, text)


def with_these(characters: Collection[str]) -> Iterator[Rewriting]:
    """All that may be done with some characters."""
    for says, place in _CUTS.items():
        yield Rewriting(says, these(characters), partial(_cut, place))
    for says, change in _CHANGES.items():
        yield Rewriting(says, these(characters), partial(_changed, change))
    for says, from_right in _GROUPED.items():
        yield Rewriting(says, these(characters), partial(_grouped, from_right), longest_run=3 * _GROUP)


def with_one_for(characters: str, new: str) -> Rewriting:
    """That the same stands in place of each of some characters, as where they are unknown."""
    spelled = literal(new).replace("{", "{{").replace("}", "}}")
    clause = f"with {spelled} in place of {{0}}"
    return Rewriting(clause, these(characters), partial(_changed, lambda character: new))


def with_table(table: Mapping[str, str]) -> Rewriting:
    """Replace characters by the entries of a table."""
    told = ", ".join(f"{literal(table[c])} for {named(c)}" for c in sorted(table)[:TOLD])
    more = f", and {len(table) - TOLD} more characters of such a table" if len(table) > TOLD else ""
    return Rewriting(_TABLE, CharacterClass(told + more, table.__contains__), partial(_by, table))


def these(characters: Collection[str]) -> CharacterClass:
    """The class of these characters, which has no name."""
    return CharacterClass("", frozenset(characters).__contains__)


def _cut(place: Place, held: Sequence[bool], text: str) -> tuple[str, ...]:
    cuts = [0, *(i + 1 for i, both in enumerate(pairwise(held)) if place(*both)), len(text)]
    return tuple(text[start:end] for start, end in pairwise(cuts))


def _grouped(from_right: bool, held: Sequence[bool], text: str) -> tuple[str, ...]:
    cuts, at = [0], 0
    for is_so, run in groupby(held):
        length = len(list(run))
        if is_so:
            cuts += range(at + ((length % _GROUP if from_right else 0) or _GROUP), at + length, _GROUP)
        at += length
    return tuple(text[start:end] for start, end in pairwise([*cuts, len(text)]))


def _changed(change: Callable[[str], str], held: Sequence[bool], text: str) -> tuple[str, ...]:
    return ("".join(change(c) if is_so else c for c, is_so in zip(text, held, strict=True)),)


def _by(table: Mapping[str, str], held: Sequence[bool], text: str) -> tuple[str, ...]:
    return ("".join(table.get(c, c) for c in text),)
