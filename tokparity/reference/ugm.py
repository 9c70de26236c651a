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
from typing import NamedTuple

from tokparity.behaviour import Behaviour, Segmenter, Trace
from tokparity.reference.lattice import Lattice, to_float32
from tokparity.reference.seams import LONGEST_REMEMBERED, Memo, Seams
from tokparity.reference.unknown import fallback, fuse_unknown
from tokparity.vocabulary import Vocabulary

_EPSILON = {32: 2.0**-23, 64: 2.0**-52}
_WORTH_CUTTING = 64
"""Shorter words go through the lattice as a whole."""


class Path(NamedTuple):
    """The best path through a part of the text, and what is needed to know where else it holds."""

    ids: list[int]
    steps: list[float]
    """The score of each piece on the path."""
    end: float
    """The sum at the end, counted from the sum that the part began with."""
    margin: float
    """The smallest difference between a winner and a loser at any position; -inf if the sums were rebased inside."""
    depth: float
    """The largest magnitude of any sum, counted from the start of the part."""


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
        self._round = to_float32 if behaviour.score_bits == 32 else float
        self._epsilon = _EPSILON[behaviour.score_bits]
        self._seams = Seams(self._lattice.pairs, behaviour.space_marker)
        self._path = Memo(self.best_path)

    def __call__(self, word: str, trace: Trace | None = None) -> list[int]:
        ids: list[int] = []
        if trace:
            ids += self.best_path(word, 0.0, trace).ids
        else:
            total = _RunningSum(self._behaviour.score_bits)
            for part in self._parts(word):
                ids += self._path_after(part, total).ids
        return fuse_unknown(ids, self._unknown) if self._behaviour.fuse_unknown else ids

    def _parts(self, text: str) -> Iterator[str]:
        for word in self._seams.words(text):
            if len(word) > _WORTH_CUTTING:
                yield from self._seams.parts(word)
            else:
                yield word

    def _path_after(self, part: str, total: _RunningSum) -> Path:
        """The best path through the next part; the running sum moves on to its end."""
        if len(part) <= LONGEST_REMEMBERED:
            path = self._path(part)
            if self._holds(path, len(part), total.estimate):
                total.add(path)
                return path
        path = self.best_path(part, total.exact())
        total.restart(path.end)
        return path

    def _holds(self, path: Path, characters: int, before: float) -> bool:
        """Whether the path found from a sum of 0 is the best one after a sum of `before` too.

        Each of at most `characters` additions on either of two paths errs by at most half a unit in the last place; a
        decision by more than that stands. And no sum may come near the limit at which sums are rebased (the estimate
        itself is good to far better than the hundredth part that is left as room).
        """
        rebase = self._behaviour.rebase_below
        if rebase is not None and before - path.depth < 0.99 * rebase:
            return False
        return path.margin > characters * (2 * abs(before) + path.depth) * self._epsilon

    def best_path(self, text: str, before: float = 0.0, trace: Trace | None = None) -> Path:
        """The best path through `text`, its scores summed on top of `before`."""
        lattice, pieces_from = self._lattice, self._lattice.pieces_from
        wide = self._behaviour.score_bits == 64
        best = [-inf] * (len(text) + 1)
        begins = [0] * (len(text) + 1)
        steps = [0.0] * (len(text) + 1)
        best[0] = before
        margin = inf
        rebase = -inf if self._behaviour.rebase_below is None else self._behaviour.rebase_below
        for start in range(len(text)):
            if best[start] < rebase:
                reached = slice(start, start + lattice.longest + 1)
                best[reached] = [self._round(score - best[start]) for score in best[reached]]
                margin = -inf
            here = best[start]
            for end, score in pieces_from(text, start):
                challenger = here + score if wide else to_float32(here + score)
                champion = best[end]
                margin = min(margin, abs(challenger - champion))
                if challenger > champion:
                    best[end] = challenger
                    begins[end], steps[end] = start, score
        if trace:
            trace("lattice", {"best": lattice.describe(text, best, begins)})
        return self._read_back(text, best, begins, steps, margin, before)

    def _read_back(
        self, text: str, best: list[float], begins: list[int], steps: list[float], margin: float, before: float
    ) -> Path:
        spans: list[tuple[int, int]] = []
        end = len(text)
        while end > 0:
            spans.append((begins[end], end))
            end = begins[end]
        spans.reverse()
        ids: list[int] = []
        for begin, end in spans:
            known = self._lattice.ids.get(text[begin:end])
            ids += self._fallback(text[begin:end]) if known is None else (known,)
        depth = max(abs(score - before) for score in best)
        return Path(ids, [steps[end] for _, end in spans], best[-1], margin, depth)


class _RunningSum:
    """The score of the path so far: an estimate at once, the exact sum (rounded at each step) when it is asked for."""

    def __init__(self, bits: int) -> None:
        self.estimate = 0.0
        self._wide = bits == 64
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
                self._exact = self._exact + step if self._wide else to_float32(self._exact + step)
        self._pending.clear()
        return self._exact
