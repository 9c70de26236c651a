"""Variants of a model whose merges keep their ranks in too few bits, so that they wrap, or end at the greatest."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from math import inf

from tokparity.behaviour import Merge
from tokparity.diagnose.character.rounded_scores import joined_pieces
from tokparity.diagnose.character.seen import Seen
from tokparity.diagnose.character.variants import Variant, has_other_ids, ids_by
from tokparity.diagnose.character.word_by_word import WordByWord
from tokparity.diagnose.hypothesis import Base
from tokparity.questions import Encode
from tokparity.reference.byte_alphabet import letters
from tokparity.reference.merging import Rank, by_pair, merge

_BITS = (8, 15, 16)
Narrow = Callable[[float], float]


def narrow_ranks(smallest: Seen, base: Base) -> Iterator[Variant]:
    """The variants that may answer as the smallest mismatch was answered."""
    if not base.vocabulary.merges or not has_other_ids(smallest):
        return
    for says, narrow in _narrowed(len(base.vocabulary.merges)):
        merging = _merging(narrow)
        if not _foretells(smallest, base, merging):
            continue  # found without building the model anew
        behaviour = replace(base.behaviour, merge=merging)
        ids = partial(ids_by, base.tokenizer.with_behaviour(behaviour))
        yield Variant(says, ids, joined_pieces(base))


def _narrowed(merges: int) -> Iterator[tuple[str, Narrow]]:
    for bits in _BITS:
        size, kept = 1 << bits, f"with the ranks of its merges in {bits} bits"
        if merges > size:
            yield f"{kept}, so that they wrap", lambda rank, size=size: rank % size  # type: ignore[misc]
            says = f"{kept}, of which the greatest stands for all that are greater"
            yield says, lambda rank, size=size: min(rank, size - 1)  # type: ignore[misc]
        if merges > size // 2:
            says, half = f"{kept} with a sign, so that they wrap", size // 2
            yield says, lambda rank, half=half: (rank + half) % (2 * half) - half  # type: ignore[misc]


def _merging(narrow: Narrow) -> Merge:
    def narrowed(symbols: list[str], rank: Rank) -> list[str]:
        return merge(symbols, lambda left, right: narrow(found) if (found := rank(left, right)) < inf else inf)

    return narrowed


def _foretells(smallest: Seen, base: Base, merging: Merge) -> bool:
    """Whether the words of a text are merged into the pieces that the engine gave."""
    question, words = smallest.question, WordByWord(base)
    assert isinstance(question, Encode)
    spell = letters(base.behaviour) if base.behaviour.byte_level else str
    rank, _ = by_pair(base.vocabulary.merge_places)
    ids = base.vocabulary.ids

    def merged(word: str) -> list[int]:
        spelled = spell(word)
        if base.behaviour.ignore_merges and spelled.encode() in ids:
            return [ids[spelled.encode()]]
        return [ids.get(piece.encode(), -1) for piece in merging([*spelled], rank)]

    return tuple(words.ids(question, merged, lambda place: True)) == getattr(smallest.actual, "ids", ())
