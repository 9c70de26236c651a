"""Merges that say no more than an order of pieces: then SentencePiece's merging by score comes to the same ids."""

from __future__ import annotations

from dataclasses import replace

from tokparity.vocabulary import Vocabulary


def with_scores(vocabulary: Vocabulary) -> Vocabulary | None:
    """The vocabulary with a score for each piece, the earlier merged the higher, instead of merges.

    None where scores cannot say it: where a piece is not made in every possible way, where the ways to make it do not
    follow one another in the list, or where a character of it is not a piece.
    """
    pieces = set(vocabulary.ids)
    ranks: dict[bytes, int] = {}
    last = b""
    for left, right in vocabulary.merges:
        made = left + right
        if made != last and ranks.setdefault(made, len(ranks)) != len(ranks) - 1:
            return None
        last = made
    merges, spelled = set(vocabulary.merges), {piece: piece.decode("utf-8", "surrogateescape") for piece in pieces}
    outside = {token.content for token in vocabulary.added}
    for piece, text in spelled.items():
        if text in outside or (len(piece) == 6 and text.startswith("<0x")):
            continue
        halves = ((text[:cut].encode(), text[cut:].encode()) for cut in range(1, len(text)))
        if any(half[0] in pieces and half[1] in pieces and half not in merges for half in halves):
            return None
        if piece in ranks and not pieces.issuperset(map(str.encode, text)):
            return None
    lowest = -float(len(ranks))
    scores = tuple(-float(ranks[piece]) if piece in ranks else lowest for piece in vocabulary.pieces)
    return replace(vocabulary, scores=scores, merges=())
