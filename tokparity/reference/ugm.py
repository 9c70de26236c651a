"""UGM: the unigram language model. Of all ways to cut the text into pieces, the one with the best total score.

1. At each position, for each piece that begins there, the path to the piece's end may be better than the best so far.
2. A character that is no piece on its own may be stepped over as unknown, at a price.
3. The best path is read back from the end. A strictly better path is needed to replace an earlier one.

Scores are summed from the start of the text in 32 or 64 bits, so a long text can decide a near tie differently from a
short one. Parts between seams are therefore remembered together with how narrow their narrowest decision was, and are
computed again, from the exact running sum, whenever rounding could have turned it.
Source: Kudo 2018 (arXiv:1804.10959); sentencepiece `unigram_model.cc` (EncodeOptimized); tokenizers `unigram/model.rs`.
"""

from __future__ import annotations

from functools import reduce
from math import inf
from operator import add
from typing import NamedTuple

from tokparity.behaviour import Behaviour, Segmenter, Trace
from tokparity.reference.lattice import Lattice, sum_float32
from tokparity.reference.seams import LONGEST_REMEMBERED, Memo, Seams
from tokparity.reference.unknown import fallback, fuse_unknown
from tokparity.reference.viterbi import Path, best_path
from tokparity.vocabulary import Vocabulary

_HALF_UNIT = {32: 2.0**-24, 64: 2.0**-53}
"""The most by which rounding moves a sum, relative to it."""


def ugm(vocabulary: Vocabulary, behaviour: Behaviour) -> Segmenter:
    """The segmenter for unigram vocabularies (`tokenizer.ggml.model` = t5)."""
    return Ugm(vocabulary, behaviour)


class Remembered(NamedTuple):
    """What the memo holds of a part: its best path by sums from 0 that are all but exact."""

    ids: list[int]
    steps: list[float]
    """The score of each piece on the path."""
    total: float
    reach: float
    """The path is the best one too on top of any sum of a smaller magnitude than this, with all roundings."""


class Ugm:
    """Viterbi over the lattice of pieces."""

    def __init__(self, vocabulary: Vocabulary, behaviour: Behaviour) -> None:
        self._behaviour = behaviour
        self._unknown = vocabulary.unknown_id
        self._fallback = fallback(vocabulary, behaviour)
        self._lattice = Lattice(vocabulary, behaviour)
        self._narrow = behaviour.score_bits == 32
        self._rebase = -inf if behaviour.rebase_below is None else behaviour.rebase_below
        self._seams = Seams(self._lattice.pairs, behaviour.space_marker)
        self._part = Memo(self._find_part)
        self._word = Memo(self._find_word)

    def __call__(self, word: str, trace: Trace | None = None) -> list[int]:
        ids = self._path_ids(word, trace) if trace else self._ids_by_parts(word)
        return fuse_unknown(ids, self._unknown) if self._behaviour.fuse_unknown else ids

    def _ids_by_parts(self, text: str) -> list[int]:
        """The ids of all parts, each from the memo if the sum of the scores before it is within its reach."""
        ids: list[int] = []
        steps: list[float] = []  # of the path since `exact`
        exact = estimate = 0.0
        word_memo, part_memo = self._word, self._part
        for word in self._seams.words(text):
            # A word is looked up whole; one that is too long to be remembered, part by part.
            short = len(word) <= LONGEST_REMEMBERED
            for part in (word,) if short else self._seams.parts(word):
                if short or len(part) <= LONGEST_REMEMBERED:
                    part_ids, part_steps, total, reach = word_memo(part) if short else part_memo(part)
                    if -reach < estimate < reach:
                        ids += part_ids
                        steps += part_steps
                        estimate += total
                        continue
                path = best_path(self._lattice, part, self._sum(exact, steps), self._narrow, self._rebase)
                ids += self._ids(part, path)
                exact = estimate = path.end
                steps.clear()
        return ids

    def _find_word(self, word: str) -> Remembered:
        """The paths through a word's parts put together; each part must hold on top of the parts before it."""
        ids: list[int] = []
        steps: list[float] = []
        total, reach = 0.0, inf
        for part in self._seams.parts(word):
            known = self._part(part)
            reach = min(reach, known.reach - abs(total))
            ids += known.ids
            steps += known.steps
            total += known.total
        return Remembered(ids, steps, total, reach)

    def _find_part(self, part: str) -> Remembered:
        """The ideal path, and its reach.

        Each addition on either of two paths errs by at most half a unit in the last place of the sum; a decision by
        more than that stands. No sum may come near the limit at which sums are rebased. A quarter and a hundredth
        are room for the error of the estimate itself, which is far smaller.
        """
        path = best_path(self._lattice, part)
        error = (len(part) + len(path.steps)) * _HALF_UNIT[self._behaviour.score_bits]
        reach = min((path.margin / error - path.depth) / 1.25, -0.99 * self._rebase - path.depth)
        return Remembered(self._ids(part, path), path.steps, path.end, reach)

    def _path_ids(self, text: str, trace: Trace) -> list[int]:
        path = best_path(self._lattice, text, 0.0, self._narrow, self._rebase, trace)
        return self._ids(text, path)

    def _ids(self, part: str, path: Path) -> list[int]:
        get = self._lattice.ids.get
        found = [(get(part[start:end]), start, end) for start, end in path.spans]
        return [i for known, a, b in found for i in ((known,) if known is not None else self._fallback(part[a:b]))]

    def _sum(self, exact: float, steps: list[float]) -> float:
        """A sum after some more steps, rounded at each of them."""
        return sum_float32(exact, steps) if self._narrow else reduce(add, steps, exact)
