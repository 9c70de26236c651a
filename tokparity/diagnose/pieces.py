"""The pieces of a model as a search for them in texts needs them; worked out once for each model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from tokparity.behaviour import Behaviour
from tokparity.vocabulary import Kind, Vocabulary

_MARKERS = "▁Ġ "


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
    def cores(self) -> Sequence[str]:
        """By id; an id without a piece has an empty one."""
        return [self.core(piece) for piece in self.vocabulary.pieces]

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
