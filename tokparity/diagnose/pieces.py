"""The pieces of a model as a search for them in texts needs them; worked out once for each model."""

from __future__ import annotations

from collections.abc import Iterator

from tokparity.behaviour import Behaviour
from tokparity.vocabulary import Kind, Vocabulary

_FIRST = 1_000  # pieces; some engines guess by them what the vocabulary is like
_MARKERS = "▁Ġ "


class Pieces:
    """What all models made from this one must have, and what must stand in a text for each piece to come up."""

    def __init__(self, vocabulary: Vocabulary, behaviour: Behaviour) -> None:
        self._affixes = [affix for affix in (behaviour.continuing_prefix, behaviour.word_suffix) if affix]
        self.needed: frozenset[int] = frozenset(
            (
                *range(min(_FIRST, len(vocabulary))),
                *vocabulary.special.values(),
                *behaviour.prefix_ids,
                *behaviour.suffix_ids,
                *(i for i, kind in enumerate(vocabulary.kinds) if kind is Kind.BYTE),
                *_extremes(vocabulary),
            )
        )
        self.cores = [self.core(piece) for piece in vocabulary.pieces]
        """By id; an id without a piece has an empty one."""

    def core(self, piece: bytes) -> str:
        """A piece without affixes and without space markers in front, unless it is nothing else."""
        text = piece.decode("utf-8", "surrogateescape")
        for affix in self._affixes:
            text = text.removeprefix(affix).removesuffix(affix)
        return text.lstrip(_MARKERS) or text

    @property
    def affixed(self) -> bool:
        """Whether pieces have more than what stands in the text."""
        return bool(self._affixes)


def _extremes(vocabulary: Vocabulary) -> Iterator[int]:
    """The pieces with the best and the worst score, on which the unigram scores of others depend."""
    scored = [i for i in range(len(vocabulary.scores)) if vocabulary.kinds[i] is Kind.NORMAL]
    if scored:
        yield min(scored, key=vocabulary.scores.__getitem__)
        yield max(scored, key=vocabulary.scores.__getitem__)
