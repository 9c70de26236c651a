"""An index of a model's pieces, for searching them in texts; it is built once for each model."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from tokparity.behaviour import Behaviour
from tokparity.vocabulary import Kind, Vocabulary

RUN = 6
"""A piece may come up in texts where each run of this many of its characters, or all of it if it has fewer, occurs."""

_MARKERS = "▁Ġ "


class Cores:
    """What must stand in a text for each of many to come up, to be found by how it begins."""

    def __init__(self, cores: Iterable[str]) -> None:
        self._cores = [*cores]
        starts: dict[str, list[int]] = defaultdict(list)
        for place, core in enumerate(self._cores):
            starts[core[:RUN]].append(place)
        self._starts: Mapping[str, Sequence[int]] = dict(starts)

    def among(self, runs: frozenset[str]) -> Iterator[int]:
        """The places of those whose runs of characters are all among these."""
        for start in self._starts.keys() & runs:
            yield from (place for place in self._starts[start] if has_all(runs, self._cores[place]))


def has_all(runs: frozenset[str], core: str) -> bool:
    """Whether all runs of characters of one are among these."""
    if len(core) <= RUN:
        return core in runs
    return all(core[i : i + RUN] in runs for i in range(len(core) - RUN + 1))


@dataclass(frozen=True)
class Pieces:
    """What every reduced model must have, and what must stand in a text for each piece to come up."""

    vocabulary: Vocabulary
    behaviour: Behaviour

    @cached_property
    def always(self) -> frozenset[int]:
        """The ids that may come up in any text, or on which the ids of others depend."""
        vocabulary, behaviour = self.vocabulary, self.behaviour
        return frozenset(
            (
                *vocabulary.special.values(),
                *behaviour.prefix_ids,
                *behaviour.suffix_ids,
                *(i for i, kind in enumerate(vocabulary.kinds) if kind is Kind.BYTE),
                *_extremes(vocabulary),
            )
        )

    @cached_property
    def cores(self) -> Cores:
        """Of the pieces, by id; an id without a piece has an empty one."""
        return Cores(map(self.core, self.vocabulary.pieces))

    @cached_property
    def merged(self) -> Cores:
        """The text that each merge makes, by the merge's place; with affixes, the text of its left half."""
        return Cores(self.core(left if self.affixes else left + right) for left, right in self.vocabulary.merges)

    @cached_property
    def affixes(self) -> Sequence[str]:
        """What pieces may have that does not stand in the text."""
        return [affix for affix in (self.behaviour.continuing_prefix, self.behaviour.word_suffix) if affix]

    def core(self, piece: bytes) -> str:
        """A piece without affixes and without space markers in front, unless it is nothing else."""
        text = piece.decode("utf-8", "surrogateescape")
        for affix in self.affixes:
            text = text.removeprefix(affix).removesuffix(affix)
        return text.lstrip(_MARKERS) or text


def _extremes(vocabulary: Vocabulary) -> Iterator[int]:
    """The pieces with the best and the worst score, on which the unigram scores of others depend."""
    scored = [i for i in range(len(vocabulary.scores)) if vocabulary.kinds[i] is Kind.NORMAL]
    if scored:
        yield min(scored, key=vocabulary.scores.__getitem__)
        yield max(scored, key=vocabulary.scores.__getitem__)
