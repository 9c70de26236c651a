"""SPM: SentencePiece's byte-pair encoding, where a piece's score says how early two symbols are merged into it.

1. Cut the text into characters; user-defined pieces stay whole and take no part in merging.
2. Of all adjacent pairs that together spell a piece, merge the one with the best score; of equals the leftmost.
3. Repeat until no pair spells a piece. What is not a piece then becomes bytes or unknown.

There is no lattice and no search for the best total score here: this is not the unigram algorithm.
Source: Sennrich et al. 2016 (arXiv:1508.07909) for the idea; sentencepiece `bpe_model.cc` for the order of merges.
"""

from __future__ import annotations

from weakref import WeakValueDictionary

from tokparity.behaviour import Behaviour, Segmenter, Trace
from tokparity.reference.literals import compile_literals
from tokparity.reference.merging import Rank, by_spelling, merge, queue_of, telling
from tokparity.reference.seams import InParts, Seams, adjacent_pairs
from tokparity.reference.unknown import fallback, joining
from tokparity.vocabulary import Kind, Vocabulary


def spm(vocabulary: Vocabulary, behaviour: Behaviour) -> Segmenter:
    """The segmenter for vocabularies whose scores order the merges (`tokenizer.ggml.model` = llama)."""
    return Spm(vocabulary, behaviour)


class _Pieces:
    """What is found in texts, of which segmenters that behave otherwise have the same: the largest part of each.

    Control, byte and unknown pieces are never found, be it whole or as the result of merging.
    """

    def __init__(self, vocabulary: Vocabulary, with_unused: bool) -> None:
        self.of = vocabulary
        kinds = {Kind.NORMAL, Kind.USER_DEFINED} | ({Kind.UNUSED} if with_unused else set())
        self.ids = {
            piece.decode("utf-8", "surrogateescape"): i
            for piece, i in vocabulary.model_ids.items()
            if vocabulary.kinds[i] in kinds
        }
        self.scores = {piece: -vocabulary.scores[i] for piece, i in self.ids.items()}
        self.seams = adjacent_pairs(self.ids)
        self.unused = frozenset(p for p, i in self.ids.items() if vocabulary.kinds[i] is Kind.UNUSED)
        self.whole = compile_literals([p for p, i in self.ids.items() if vocabulary.kinds[i] is Kind.USER_DEFINED])


_in_use: WeakValueDictionary[tuple[int, bool], _Pieces] = WeakValueDictionary()


def _pieces(vocabulary: Vocabulary, with_unused: bool) -> _Pieces:
    """Those that are in use, if there are any; they keep their vocabulary alive, so no other one gets its `id`."""
    found = _in_use.get((id(vocabulary), with_unused))
    if found is None:
        found = _in_use[id(vocabulary), with_unused] = _Pieces(vocabulary, with_unused)
    return found


class Spm:
    """Merges by score."""

    def __init__(self, vocabulary: Vocabulary, behaviour: Behaviour) -> None:
        self._behaviour = behaviour
        self._fallback = fallback(vocabulary, behaviour)
        self._join = joining(vocabulary, behaviour)
        self._pieces = pieces = _pieces(vocabulary, behaviour.unused_pieces != "never")
        self._ids, self._unused, self._whole = pieces.ids, pieces.unused, pieces.whole
        self._rank, self._ranks = by_spelling(pieces.scores)
        # What may come out in the end: unused pieces may not, unless they are like any other.
        shown = not self._unused or behaviour.unused_pieces == "as_normal"
        self._shown = self._ids if shown else {p: i for p, i in self._ids.items() if p not in self._unused}
        self._seams = Seams(pieces.seams, behaviour.space_marker)
        self._in_parts = InParts(self._seams, self._segment_part)

    def __call__(self, word: str, trace: Trace | None = None) -> list[int]:
        if trace or self._behaviour.symbols:
            ids = self._segment_part(word, trace)
        else:
            ids = self._seams.by_lines(word, self._in_parts)
        return ids if self._join is None else self._join(ids)

    def _segment_part(self, part: str, trace: Trace | None = None) -> list[int]:
        if self._whole is None:
            return self._merge(part, trace)
        ids: list[int] = []
        done = 0
        for whole in self._whole.finditer(part):
            ids += self._merge(part[done : whole.start()], trace)
            ids.append(self._ids[whole.group()])
            done = whole.end()
        return ids + self._merge(part[done:], trace)

    def _merge(self, text: str, trace: Trace | None) -> list[int]:
        """Ids of a stretch of text without user-defined pieces."""
        symbols = self._behaviour.symbols(text) if self._behaviour.symbols else list(text)
        if trace:
            queue = [(pair, -value) for pair, value in queue_of(symbols, self._rank)]
            trace("symbols", {"symbols": symbols, "queue": queue})
        taken_apart: dict[str, tuple[str, str]] = {}
        rank, ranks = (self._noting_rank(taken_apart), None) if self._unused else (self._rank, self._ranks)
        on_merge = telling(trace, "score", -1)
        if self._behaviour.merge is not None:
            symbols = self._behaviour.merge(symbols, rank)
        else:
            symbols = merge(symbols, rank, self._behaviour.tie_break == "right", on_merge, ranks)
        if taken_apart and self._behaviour.unused_pieces == "resegment":
            symbols = [s for symbol in symbols for s in _take_apart(symbol, taken_apart)]
        ids: list[int] = []
        get = self._shown.get
        for symbol in symbols:
            known = get(symbol)
            ids += self._fallback(symbol) if known is None else (known,)
        return ids

    def _noting_rank(self, taken_apart: dict[str, tuple[str, str]]) -> Rank:
        """The rank of a pair; of what pairs the unused pieces could be made last is noted, to take them apart again."""
        rank, unused = self._rank, self._unused

        def noting_rank(left: str, right: str) -> float:
            if left + right in unused:
                taken_apart[left + right] = left, right
            return rank(left, right)

        return noting_rank


def _take_apart(symbol: str, taken_apart: dict[str, tuple[str, str]]) -> list[str]:
    """An unused piece served as a step of merging but must not be the result: undo the merge that made it."""
    if symbol not in taken_apart:
        return [symbol]
    return [s for half in taken_apart[symbol] for s in _take_apart(half, taken_apart)]
