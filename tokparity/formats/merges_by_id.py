"""Merges for models that have none: tiktoken's, whose ids are the order in which pieces were made."""

from __future__ import annotations

from dataclasses import replace

from tokparity.behaviour import Behaviour
from tokparity.reference.bpe import bpe
from tokparity.vocabulary import Kind, Vocabulary


def with_merges(vocabulary: Vocabulary) -> Vocabulary:
    """Return the vocabulary with a merge for every way to join two pieces to a third, by the lowest id of the third."""
    outside = {token.id for token in vocabulary.added}
    ids = {piece.decode(): i for piece, i in vocabulary.ids.items() if i not in outside}
    merges = []
    for piece, _ in sorted(ids.items(), key=lambda item: item[1]):
        for cut in range(1, len(piece)):
            left, right = piece[:cut], piece[cut:]
            if left in ids and right in ids:
                merges.append((left.encode(), right.encode()))
    return replace(vocabulary, merges=tuple(merges))


def merging_finds_every_piece(vocabulary: Vocabulary, behaviour: Behaviour) -> bool:
    """Whether each piece, merged from its characters, becomes itself: then looking whole words up changes nothing."""
    outside = {token.id for token in vocabulary.added}
    # The pieces are spelled in the byte alphabet already.
    segment = bpe(vocabulary, replace(behaviour, ignore_merges=False, byte_level=False, fallback="drop"))
    return all(
        segment(piece.decode()) == [i]
        for piece, i in vocabulary.ids.items()
        if i not in outside and vocabulary.kinds[i] is Kind.NORMAL
    )
