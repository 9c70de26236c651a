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

from collections.abc import Iterator
from math import inf

from tokparity.behaviour import Behaviour, Segmenter, Trace
from tokparity.reference.lattice import Lattice, to_float32
from tokparity.reference.seams import LONGEST_REMEMBERED, Memo, Seams
from tokparity.reference.unknown import fallback, fuse_unknown
from tokparity.reference.viterbi import Path, best_path
from tokparity.vocabulary import Vocabulary

_HALF_UNIT = {32: 2.0**-24, 64: 2.0**-53}
"""The most by which rounding moves a sum, relative to it."""


def ugm(vocabulary: Vocabulary, behaviour: Behaviour) -> Segmenter:
    """The segmenter for unigram vocabularies (`tokenizer.ggml.model` = t5)."""
    return Ugm(vocabulary, behaviour)


class Ugm:
    """Viterbi over the lattice of pieces."""

    def __init__(self, vocabulary: Vocabulary, behaviour: Behaviour) -> None:
        self._behaviour = behaviour
        self._unknown = vocabulary.unknown_id
        self._fallback = fallback(vocabulary, behaviour)
        self._lattice = Lattice(vocabulary, behaviour)
        self._rebase = -inf if behaviour.rebase_below is None else behaviour.rebase_below
        self._seams = Seams(self._lattice.pairs, behaviour.space_marker)
        self._ideal_path = Memo(self._find_ideal_path)

    def __call__(self, word: str, trace: Trace | None = None) -> list[int]:
        ids: list[int] = []
        total = _RunningSum(narrow=self._behaviour.score_bits == 32)
        for part in [word] if trace else self._parts(word):
            ids += self._ids_after(part, total, trace)
        return fuse_unknown(ids, self._unknown) if self._behaviour.fuse_unknown else ids

    def _parts(self, text: str) -> Iterator[str]:
        for word in self._seams.words(text):
            if len(word) > LONGEST_REMEMBERED:
                yield from self._seams.parts(word)
            else:
                yield word

    def _ids_after(self, part: str, total: _RunningSum, trace: Trace | None) -> list[int]:
        """The ids of the next part; the running sum moves on to its end."""
        if len(part) <= LONGEST_REMEMBERED and not trace:
            path, ids = self._ideal_path(part)
            if self._holds(path, len(part), total.estimate):
                total.add(path)
                return ids
        path = best_path(self._lattice, part, total.exact(), total.narrow, self._rebase, trace)
        total.restart(path.end)
        return self._ids(part, path)

    def _find_ideal_path(self, part: str) -> tuple[Path, list[int]]:
        """The best path by sums from 0 that are all but exact, and its ids."""
        path = best_path(self._lattice, part)
        return path, self._ids(part, path)

    def _holds(self, path: Path, characters: int, before: float) -> bool:
        """Whether an ideal path is the best one too when its scores are summed on top of `before`, with all roundings.

        Each addition on either of two paths errs by at most half a unit in the last place of the sum; a decision by
        more than that stands. No sum may come near the limit at which sums are rebased. A quarter and a hundredth
        are room for the error of the estimate itself, which is far smaller.
        """
        if before - path.depth < 0.99 * self._rebase:
            return False
        largest = 1.25 * abs(before) + path.depth
        return path.margin > (characters + len(path.steps)) * largest * _HALF_UNIT[self._behaviour.score_bits]

    def _ids(self, part: str, path: Path) -> list[int]:
        ids: list[int] = []
        for start, end in path.spans:
            known = self._lattice.ids.get(part[start:end])
            ids += self._fallback(part[start:end]) if known is None else (known,)
        return ids


class _RunningSum:
    """The score of the path so far: an estimate at once, the exact sum (rounded at each step) when it is asked for."""

    def __init__(self, narrow: bool) -> None:
        self.narrow = narrow
        self.estimate = 0.0
        self._exact = 0.0
        self._pending: list[list[float]] = []

    def add(self, path: Path) -> None:
        """Move on along a path that was found from a sum of 0."""
        self.estimate += path.end
        self._pending.append(path.steps)

    def restart(self, at: float) -> None:
        """Go on from a sum that is known exactly."""
        self.estimate = self._exact = at
        self._pending.clear()

    def exact(self) -> float:
        """The sum so far, rounded at each step."""
        for steps in self._pending:
            for step in steps:
                self._exact = to_float32(self._exact + step) if self.narrow else self._exact + step
        self._pending.clear()
        return self._exact
