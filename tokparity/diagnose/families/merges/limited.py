"""Models with a limit on their merges.

The engine stores ranks in too few bits, applies only a few merges per word, or looks merges up by too narrow a key.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import chain, pairwise
from math import inf

from tokparity.behaviour import Merge
from tokparity.diagnose.base import Base
from tokparity.diagnose.evidence import Observation
from tokparity.diagnose.facts import Facts
from tokparity.diagnose.families.merges.keyed import keyed
from tokparity.diagnose.families.scores import joined_pieces
from tokparity.diagnose.hypothesis import Variant
from tokparity.diagnose.limits.texts import LONGEST_MERGED
from tokparity.diagnose.word_by_word import WordByWord
from tokparity.questions import Encode
from tokparity.reference.byte_alphabet import letters
from tokparity.reference.merging import Rank, by_pair, merge

_BITS = (8, 15, 16)

Narrow = Callable[[float], float]


def merged_otherwise(facts: Facts) -> Iterator[Variant]:
    """The variants that may answer as the smallest mismatch was answered."""
    smallest, base = facts.against, facts.base
    if not base.vocabulary.merges or not facts.is_of_ids:
        return
    words, joined = WordByWord(base), joined_pieces(base)
    in_order = chain(_narrowed(len(base.vocabulary.merges)), _limited(smallest, words))
    for says, merging, texts in chain(((*one, joined) for one in in_order), keyed(base)):
        if not _foretells(smallest, base, words, merging):
            continue  # found without building the model anew
        yield replace(facts.with_behaviour(says, replace(base.behaviour, merge=merging), texts), model=None)


def _narrowed(merges: int) -> Iterator[tuple[str, Merge]]:
    for bits in _BITS:
        size, kept = 1 << bits, f"with the ranks of its merges in {bits} bits"
        if merges > size:
            yield f"{kept}, so that they wrap", _narrow(partial(_wrapped, 0, size))
            says = f"{kept}, and uses the greatest number for every greater one"
            yield says, _narrow(partial(min, size - 1))
        if merges > size // 2:
            says, half = f"{kept} with a sign, so that they wrap", size // 2
            yield says, _narrow(partial(_wrapped, half, 2 * half))


def _wrapped(shift: int, size: int, rank: float) -> float:
    return (rank + shift) % size - shift


def _narrow(narrow: Narrow) -> Merge:
    def narrowed(symbols: list[str], rank: Rank) -> list[str]:
        return merge(symbols, lambda left, right: narrow(found) if (found := rank(left, right)) < inf else inf)

    return narrowed


def _limited(smallest: Observation, words: WordByWord) -> Iterator[tuple[str, Merge]]:
    """The smallest mismatch needs one merge too many."""
    assert isinstance(smallest.question, Encode)
    sizes = (len(place.text.encode("utf-8", "surrogateescape")) for _, place in words.places(smallest.question))
    for most in range(min(max(sizes, default=0), LONGEST_MERGED) - 2, 0, -1):
        yield f"that does at most {most:,} merges in a word", partial(_first, most)


def _first(most: int, symbols: list[str], rank: Rank) -> list[str]:
    """The first `most` merges, the best pair first."""
    symbols = symbols.copy()
    for _ in range(min(most, len(symbols) - 1)):
        ranks = [rank(left, right) for left, right in pairwise(symbols)]
        best = min(ranks)
        if best == inf:
            break
        at = ranks.index(best)
        symbols[at : at + 2] = [symbols[at] + symbols[at + 1]]
    return symbols


def _foretells(smallest: Observation, base: Base, words: WordByWord, merging: Merge) -> bool:
    """Whether the words of a text are merged into the pieces that the engine gave."""
    question = smallest.question
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
