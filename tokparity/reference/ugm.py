"""UGM: the unigram language model. Of all ways to cut the text into pieces, the one with the best total score.

1. At each position, for each piece that begins there, the path to the piece's end may be better than the best so far.
2. A character that is not a piece on its own may be stepped over as unknown, at a price.
3. The best path is read back from the end. A strictly better path is needed to replace an earlier one.

Scores are summed from the start of the text in 32 or 64 bits. So a long text can decide a near tie differently from a
short one. So each word is remembered with the margin of its closest decision. It is computed again, on top of the
exact running sum, whenever rounding could have turned that decision. Source: Kudo 2018 (arXiv:1804.10959);
sentencepiece `unigram_model.cc` (EncodeOptimized); tokenizers `unigram/model.rs`.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from itertools import chain
from math import inf
from operator import add, itemgetter

from tokparity.behaviour import Behaviour, Segmenter, Trace
from tokparity.reference.lattice import lattice, sum_float32
from tokparity.reference.reach import ROOM, FreePaths, Remembered
from tokparity.reference.seams import Memo, Seams
from tokparity.reference.unknown import fallback, fuse_unknown, joined_unknown, marking
from tokparity.reference.viterbi import best_path
from tokparity.vocabulary import Vocabulary


def ugm(vocabulary: Vocabulary, behaviour: Behaviour) -> Segmenter:
    """The segmenter for unigram vocabularies (`tokenizer.ggml.model` = t5)."""
    return Ugm(vocabulary, behaviour)


_IDS, _STEPS = itemgetter(0), itemgetter(1)
_AT_A_TIME = 1 << 8
"""The number of words between two exact sums. It is so small that rounding errors cannot add up to ROOM: 2**-24 of the
sum at each of at most 64 steps of a word."""


class Ugm:
    """Viterbi over the lattice of pieces."""

    def __init__(self, vocabulary: Vocabulary, behaviour: Behaviour) -> None:
        self._behaviour = behaviour
        self._unknown = vocabulary.unknown_id
        self._fallback = fallback(vocabulary, behaviour)
        self._lattice = lattice(vocabulary, behaviour)
        # Where being unknown scores well, a run of unknown characters may be spelled like a piece.
        tells_runs = behaviour.fallback == "bytes" or self._lattice.unknown_score > 0
        self._joined = None
        if behaviour.matches_every_kind and behaviour.fuse_unknown and tells_runs:
            self._fallback, self._joined = marking(behaviour), joined_unknown(vocabulary)
        self._narrow = behaviour.score_bits == 32
        self._late = behaviour.compares_unrounded
        self._rebase = -inf if behaviour.rebase_below is None else behaviour.rebase_below
        self._seams = Seams(self._lattice.pairs, behaviour.space_marker)
        self._path = Memo(FreePaths(self._lattice, behaviour, self._fallback))

    def __call__(self, word: str, trace: Trace | None = None) -> list[int]:
        ids = list(self._exactly(word, 0.0, trace)[0][0]) if trace else self._ids_by_words(word)
        if self._joined is not None:
            return self._joined(ids)
        return fuse_unknown(ids, self._unknown) if self._behaviour.fuse_unknown else ids

    def _ids_by_words(self, text: str) -> list[int]:
        ids: list[int] = []
        exact = 0.0
        words = self._seams.words(text)
        for start in range(0, len(words), _AT_A_TIME):
            found, exact = self._paths(words[start : start + _AT_A_TIME], exact)
            ids.extend(chain.from_iterable(map(_IDS, found)))
        return ids

    def _paths(self, words: list[str], exact: float) -> tuple[list[Remembered], float]:
        """The paths of words on top of a sum, each from the memo if the sum is within its reach; the sum behind."""
        found = [*map(self._path.__getitem__, words)]
        estimate = exact
        summed = 0
        for i, (_, _, total, reach) in enumerate(found):
            if -reach < estimate < reach:
                estimate += total
                continue
            exact = self._sum(exact, found[summed:i])
            found[i], exact = self._path_by_parts(words[i], exact)
            estimate = exact
            summed = i + 1
        return found, self._sum(exact, found[summed:])

    def _path_by_parts(self, word: str, exact: float) -> tuple[Remembered, float]:
        """The path of a word on top of an exact sum, and the sum behind it."""
        ids: list[int] = []
        for part in self._seams.parts(word):
            known = self._path[part]
            if abs(exact) < ROOM * known[3]:
                exact = self._sum(exact, [known])
            else:
                known, exact = self._exactly(part, exact)
            ids += known[0]
        return (tuple(ids), (), 0.0, 0.0), exact

    def _exactly(self, text: str, before: float, trace: Trace | None = None) -> tuple[Remembered, float]:
        """The path on top of a sum, and the sum behind it, rounded and rebased as the behavior says."""
        found = best_path(self._lattice, text, before, self._narrow, self._rebase, trace, self._late)
        return (self._ids(text[start:end] for start, end in found.spans), (), 0.0, 0.0), found.end

    def _ids(self, pieces: Iterable[str]) -> tuple[int, ...]:
        ids: list[int] = []
        get = self._lattice.ids.get
        for piece in pieces:
            known = get(piece)
            ids += (known,) if known is not None else self._fallback(piece)
        return tuple(ids)

    def _sum(self, exact: float, paths: list[Remembered]) -> float:
        """A sum after the steps of some more paths, rounded at each of them."""
        steps = [*chain.from_iterable(map(_STEPS, paths))]
        return sum_float32(exact, steps) if self._narrow else reduce(add, steps, exact)
