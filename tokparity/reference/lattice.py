"""The lattice of the unigram model: which pieces begin at a position, and what they score."""

from __future__ import annotations

import struct
from array import array
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from math import inf
from weakref import WeakValueDictionary

from tokparity.behaviour import Behaviour
from tokparity.reference.decimals import divided
from tokparity.reference.seams import LONGEST_REMEMBERED, adjacent_pairs
from tokparity.reference.text import encode_text
from tokparity.vocabulary import Kind, Vocabulary

_FLOAT32 = struct.Struct("<f")
PREFIX_ONLY = -inf
"""Stands in the table for text that is not a piece but the beginning of one: a score that is never the best."""
WALKED = LONGEST_REMEMBERED
"""The table holds beginnings of this many characters. So its size grows with the vocabulary and not with the square of
its longest piece. Texts that `reach` walks through are no longer."""
_WORTH_AN_ARRAY = 24
"""This many numbers are summed sooner in an array than one by one."""


def to_float32(value: float) -> float:
    """The value rounded to 32 bits."""
    return float(_FLOAT32.unpack(_FLOAT32.pack(value))[0])


def sum_float32(start: float, values: Sequence[float]) -> float:
    """The sum of values on top of `start`, rounded to 32 bits at each step."""
    if len(values) < _WORTH_AN_ARRAY:
        for value in values:
            start = to_float32(start + value)
        return start
    import numpy

    # Unlike `sum`, `accumulate` adds one after the other.
    return float(numpy.add.accumulate(numpy.frombuffer(array("f", (start, *values)), numpy.float32))[-1])


class _Texts:
    """The pieces of some kinds as texts, by id, and what is known of them whatever they score."""

    def __init__(self, vocabulary: Vocabulary, kinds: Collection[Kind]) -> None:
        self.ids = {
            piece.decode("utf-8", "surrogateescape"): i
            for piece, i in vocabulary.model_ids.items()
            if vocabulary.kinds[i] in kinds
        }
        self.characters = frozenset(piece for piece in self.ids if len(piece) == 1)
        self.longest = max(map(len, self.ids), default=1)
        self.pairs = adjacent_pairs(self.ids)
        beginnings = (piece[:n] for piece in self.ids for n in range(1, min(len(piece), WALKED + 1)))
        self.beginnings = dict.fromkeys(beginnings, PREFIX_ONLY)
        self.long = sorted(piece for piece in self.ids if len(piece) > WALKED)
        self.lengths = _lengths_by_beginning(self.long)


class Lattice:
    """The pieces of a vocabulary, arranged so that all pieces at a position are found in one walk."""

    def __init__(self, vocabulary: Vocabulary, behaviour: Behaviour) -> None:
        self.vocabulary = vocabulary
        kinds = {Kind.NORMAL, Kind.USER_DEFINED} | ({Kind.UNUSED} if behaviour.unused_pieces == "as_normal" else set())
        counted = {Kind.NORMAL}
        if behaviour.matches_every_kind:
            kinds = counted = set(Kind)
        scores_of = _scores(vocabulary, behaviour)
        scored = zip(scores_of, vocabulary.kinds, strict=True)
        normal = [s for i, (s, kind) in enumerate(scored) if kind in counted and i not in vocabulary.outside]
        self.best_score = max(normal, default=0.0)
        unknown_score = min(normal, default=0.0) - behaviour.unknown_penalty
        self.unknown_score = unknown_score if behaviour.score_bits == 64 else to_float32(unknown_score)
        texts = self._texts = _texts(vocabulary, frozenset(kinds))
        self.ids, self.characters, self.pairs = texts.ids, texts.characters, texts.pairs
        self.longest = texts.longest
        """Characters of the longest piece."""
        scores = {piece: scores_of[i] for piece, i in self.ids.items()}
        if behaviour.user_defined_score != "own":
            user_defined = [piece for piece, i in self.ids.items() if vocabulary.kinds[i] is Kind.USER_DEFINED]
            scores |= {piece: self._user_defined_score(piece, behaviour) for piece in user_defined}
        self.table = texts.beginnings | scores
        """Every piece with its score, and every beginning of up to WALKED characters, with PREFIX_ONLY if it is no
        piece.

        A walk along the text stops where the table ends, or goes on with `longer`.
        """

    def longer(self, text: str, start: int) -> Iterator[tuple[int, float]]:
        """(end, score) of the pieces of more than WALKED characters that begin at a place of the text."""
        for length in self._texts.lengths.get(text[start : start + WALKED], ()):
            if start + length > len(text):
                break
            score = self.table.get(text[start : start + length])
            if score is not None:
                yield start + length, score

    def of_beginning(self, text: str) -> float | None:
        """The score of a piece, PREFIX_ONLY for a beginning of one however long it is, None for all else."""
        found = self.table.get(text)
        if found is not None or len(text) <= WALKED:
            return found
        long = self._texts.long
        at = bisect_left(long, text)
        return PREFIX_ONLY if at < len(long) and long[at].startswith(text) else None

    def _user_defined_score(self, piece: str, behaviour: Behaviour) -> float:
        length = len(encode_text(piece))
        scores = {"zero": 0.0, "length": 0.1 * (length - 1), "best": length * self.best_score - 0.1}
        found = scores[behaviour.user_defined_score]
        return found if behaviour.score_bits == 64 else to_float32(found)

    def describe(self, text: str, best: list[float], begins: list[int]) -> list[dict[str, object]]:
        """For each position: the piece that the best path there ends with, and its score so far."""
        rows: list[dict[str, object]] = []
        for end in range(1, len(text) + 1):
            piece = text[begins[end] : end]
            where = {"position": end, "byte": len(encode_text(text[:end]))}
            rows.append({**where, "score": best[end], "piece": piece, "id": self.ids.get(piece)})
        return rows


def _lengths_by_beginning(pieces: Iterable[str]) -> dict[str, list[int]]:
    """The lengths of pieces longer than WALKED, ascending, by the characters that they begin with."""
    found: defaultdict[str, set[int]] = defaultdict(set)
    for piece in pieces:
        found[piece[:WALKED]].add(len(piece))
    return {beginning: sorted(lengths) for beginning, lengths in found.items()}


_READS = ("matches_every_kind", "score_bits", "score_parsing", "unknown_penalty", "unused_pieces", "user_defined_score")
_in_use: WeakValueDictionary[tuple[object, ...], Lattice] = WeakValueDictionary()
_texts_in_use: WeakValueDictionary[tuple[object, ...], _Texts] = WeakValueDictionary()


def lattice(vocabulary: Vocabulary, behaviour: Behaviour) -> Lattice:
    """The lattice; if one is in use that would be no other, then that: it is the largest part of a tokenizer."""
    # Who uses a lattice keeps its vocabulary alive, so no other one gets its `id`.
    key = (id(vocabulary), *(getattr(behaviour, name) for name in _READS))
    found = _in_use.get(key)
    if found is None:
        found = _in_use[key] = Lattice(vocabulary, behaviour)
    return found


def _texts(vocabulary: Vocabulary, kinds: frozenset[Kind]) -> _Texts:
    """The texts of a vocabulary's pieces; lattices that score them otherwise share them."""
    key = (id(vocabulary), kinds)  # as for lattices, which hold both
    found = _texts_in_use.get(key)
    if found is None:
        found = _texts_in_use[key] = _Texts(vocabulary, kinds)
    return found


def _scores(vocabulary: Vocabulary, behaviour: Behaviour) -> Sequence[float]:
    """The scores as the engine holds them."""
    if behaviour.score_bits == 32:
        return list(map(to_float32, vocabulary.scores))
    return list(map(divided, vocabulary.scores)) if behaviour.score_parsing == "divided" else vocabulary.scores
