"""UGM: the unigram language model. Of all ways to cut the text into pieces, the one with the best total score.

1. At each position, for each piece that begins there, the path to the piece's end may be better than the best so far.
2. A character that is no piece on its own may be stepped over as unknown, at a price.
3. The best path is read back from the end. A strictly better path is needed to replace an earlier one.

Scores are summed from the start of the text in 32 or 64 bits, so a long text can decide a near tie differently from a
short one. Words are therefore remembered together with how narrow their narrowest decision was, and are computed again,
on top of the exact running sum, whenever rounding could have turned it.
Source: Kudo 2018 (arXiv:1804.10959); sentencepiece `unigram_model.cc` (EncodeOptimized); tokenizers `unigram/model.rs`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from itertools import chain
from math import inf
from operator import add, itemgetter

from tokparity.behaviour import Behaviour, Segmenter, Trace
from tokparity.reference.endings import ROOM, Endings, Remembered
from tokparity.reference.lattice import Lattice, sum_float32
from tokparity.reference.seams import LONGEST_REMEMBERED, Memo, Seams
from tokparity.reference.unknown import fallback, fuse_unknown, joined_unknown, marking_holes
from tokparity.reference.viterbi import best_path
from tokparity.vocabulary import Vocabulary


def ugm(vocabulary: Vocabulary, behaviour: Behaviour) -> Segmenter:
    """The segmenter for unigram vocabularies (`tokenizer.ggml.model` = t5)."""
    return Ugm(vocabulary, behaviour)


_LONGEST_WORD = 24
"""Characters of words that are remembered whole; longer ones hardly ever come again, but their parts do."""
_TOO_LONG: Remembered = ((), (), 0.0, -inf)


class Ugm:
    """Viterbi over the lattice of pieces."""

    def __init__(self, vocabulary: Vocabulary, behaviour: Behaviour) -> None:
        self._behaviour = behaviour
        self._unknown = vocabulary.unknown_id
        self._fallback = fallback(vocabulary, behaviour)
        self._joined = None
        if behaviour.matches_every_kind and behaviour.fuse_unknown and behaviour.fallback == "bytes":
            self._fallback, self._joined = marking_holes(vocabulary), joined_unknown(vocabulary)
        self._lattice = Lattice(vocabulary, behaviour)
        self._narrow = behaviour.score_bits == 32
        self._rebase = -inf if behaviour.rebase_below is None else behaviour.rebase_below
        self._seams = Seams(self._lattice.pairs, behaviour.space_marker)
        self._endings = Endings(self._lattice, behaviour, self._fallback)
        self._word = Memo(self._find_word)

    def __call__(self, word: str, trace: Trace | None = None) -> list[int]:
        ids = list(self._exactly(word, 0.0, trace)[0][0]) if trace else self._ids_by_words(word)
        if not self._behaviour.fuse_unknown:
            return ids
        return fuse_unknown(ids if self._joined is None else self._joined(ids), self._unknown)

    def _ids_by_words(self, text: str) -> list[int]:
        """The ids of all words, each from the memo if the sum of the scores before it is within its reach."""
        found: list[Remembered] = []
        exact = estimate = 0.0  # sums: of all but the last words that were found, and of all of them
        summed = 0
        get, find = self._word.known.get, self._word
        for word in self._seams.short_words(text, _LONGEST_WORD):
            known = get(word) or find(word)
            reach = known[3]
            if -reach < estimate < reach:
                found.append(known)
                estimate += known[2]
            else:
                exact = self._sum(exact, [*chain.from_iterable(map(_STEPS, found[summed:]))])
                exact = estimate = self._add_parts(found, word, exact)
                summed = len(found)
        return list(chain.from_iterable(map(_IDS, found)))

    def _add_parts(self, found: list[Remembered], word: str, exact: float) -> float:
        """Add the paths of a word's parts to what was found, on top of an exact sum; the exact sum behind them."""
        for part in self._seams.parts(word):
            known = self._part(part)
            if abs(exact) < ROOM * known[3]:
                exact = self._sum(exact, known[1])
            else:
                known, exact = self._exactly(part, exact)
            found.append(known)
        return exact

    def _find_word(self, word: str) -> Remembered:
        """The paths through a word's parts put together; each part must hold on top of the parts before it."""
        ids: tuple[int, ...] = ()
        scores: tuple[float, ...] = ()
        total, reach = 0.0, inf
        get, find = self._endings.known.get, self._part
        for part in self._seams.parts(word):
            known = get(part) or find(part)
            part_reach = known[3] - abs(total)
            if part_reach < reach:
                reach = part_reach
            ids += known[0]
            scores += known[1]
            total += known[2]
        return ids, scores, total, reach

    def _part(self, part: str) -> Remembered:
        return self._endings(part) if len(part) <= LONGEST_REMEMBERED else _TOO_LONG

    def _exactly(self, text: str, before: float, trace: Trace | None = None) -> tuple[Remembered, float]:
        """The path on top of a sum, and the sum behind it, rounded and rebased as the behaviour says."""
        found = best_path(self._lattice, text, before, self._narrow, self._rebase, trace)
        ids = self._ids(text[start:end] for start, end in found.spans)
        return (ids, tuple(found.steps), 0.0, 0.0), found.end

    def _ids(self, pieces: Iterable[str]) -> tuple[int, ...]:
        ids: list[int] = []
        get = self._lattice.ids.get
        for piece in pieces:
            known = get(piece)
            ids += (known,) if known is not None else self._fallback(piece)
        return tuple(ids)

    def _sum(self, exact: float, scores: Sequence[float]) -> float:
        """A sum after some more steps, rounded at each of them."""
        return sum_float32(exact, scores) if self._narrow else reduce(add, scores, exact)


_IDS, _STEPS = itemgetter(0), itemgetter(1)
