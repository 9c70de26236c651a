"""BPE: merges in the order in which training made them, as GPT-2 and its many heirs do it.

1. Spell the word in the model's alphabet: the byte alphabet (each byte one printable character) or plain characters.
2. Of all adjacent pairs that are in the list of merges, merge the one that stands first in it; of equals the leftmost.
3. Repeat until no pair is in the list. What is not a piece then becomes bytes or unknown.

A model without a list of merges (tiktoken) merges any pair that together spells a piece, lowest id first.
Source: GPT-2's `encoder.py` (byte alphabet), tokenizers 0.23 `bpe/model.rs` (fallback, affixes), tiktoken
`_educational.py`, llama.cpp `llama-vocab.cpp` (a merge that makes no piece, which the others refuse).
"""

from __future__ import annotations

from collections.abc import Sequence

from tokparity.behaviour import Behaviour, Segmenter, Trace
from tokparity.reference.affixes import CONTINUES, spelling
from tokparity.reference.byte_alphabet import ALPHABET, letters
from tokparity.reference.merging import Rank, Ranks, by_pair, by_spelling, merge, queue_of, telling
from tokparity.reference.seams import WORTH_CUTTING, InParts, Seams, adjacent_pairs
from tokparity.reference.unknown import drops_first, fallback, joining, substituting, takes_part
from tokparity.vocabulary import Vocabulary


def bpe(vocabulary: Vocabulary, behaviour: Behaviour) -> Segmenter:
    """The segmenter for vocabularies with a list of merges, or whose ids are the order of the merges."""
    return Bpe(vocabulary, behaviour)


class Bpe:
    """Merges by rank."""

    def __init__(self, vocabulary: Vocabulary, behaviour: Behaviour) -> None:
        self._behaviour = behaviour
        self._spell = letters(behaviour)
        self._fallback = fallback(vocabulary, behaviour)
        self._join = joining(vocabulary, behaviour)
        self._ids = vocabulary.spelled_ids
        self._ranks: Ranks | None
        if vocabulary.merges:
            places = vocabulary.merge_places
            self._rank, self._ranks = by_pair(places)
            pairs = vocabulary.merge_seams
            if behaviour.continuing_prefix:
                self._rank, self._ranks = _spelled_out(self._rank, behaviour.continuing_prefix), None
        else:
            self._rank, self._ranks = by_spelling(self._ids)
            pairs = adjacent_pairs(self._ids)
        # A suffix or prefix that marks places in the word makes a part mean something else than alone; and symbols of
        # several characters may stand across a seam.
        self._may_cut = not (behaviour.word_suffix or behaviour.continuing_prefix or behaviour.symbols)
        seams = Seams(pairs, "" if behaviour.byte_level else behaviour.space_marker)
        self._in_parts = InParts(seams, self._segment_part)
        # With an affix, a byte may have one piece and lack the other.
        affixed = behaviour.continuing_prefix or behaviour.word_suffix
        plain = behaviour.byte_level and behaviour.byte_alphabet is None
        complete = plain and not affixed and self._ids.keys() >= set(ALPHABET)
        self._drops = drops_first(vocabulary, behaviour) and behaviour.symbols is None and not complete
        # Where neither the unknown piece nor a byte piece can come of the text or be merged, either order is the same.
        self._substitute = None
        if behaviour.unknown_waits and behaviour.symbols is None and takes_part(vocabulary, behaviour):
            self._substitute, self._join = substituting(vocabulary, behaviour), None

    def __call__(self, word: str, trace: Trace | None = None) -> list[int]:
        spelled = self._spell(word) if self._behaviour.byte_level else word
        if self._behaviour.ignore_merges and spelled in self._ids:
            return [self._ids[spelled]]
        if self._drops and self._may_cut and not self._ids.keys() >= set(spelled):
            # What is dropped is dropped before merging, so that its neighbors may merge.
            spelled = "".join(character for character in spelled if self._stays(character))
        if trace or self._substitute:
            ids = self._segment_part(spelled, trace)
        elif self._may_cut and len(spelled) > WORTH_CUTTING:
            ids = self._in_parts(spelled)
        else:
            ids = self._segment_part(spelled)
        return ids if self._join is None else self._join(ids)

    def _segment_part(self, part: str, trace: Trace | None = None) -> list[int]:
        symbols = list(part) if self._may_cut else self._with_affixes(part)
        if self._substitute:
            symbols = self._substitute(symbols)
        if trace:
            trace("symbols", {"symbols": symbols, "queue": queue_of(symbols, self._rank)})
        rightmost_first, on_merge = self._behaviour.tie_break == "right", telling(trace, "rank")
        if self._behaviour.merge is not None:
            merged = self._behaviour.merge(symbols, self._rank)
        else:
            merged = merge(symbols, self._rank, rightmost_first, on_merge, self._ranks)
        prefix, get = self._behaviour.continuing_prefix, self._ids.get
        ids: list[int] = []
        for symbol in merged:
            spelled = spelling(symbol, prefix)
            known = get(spelled)
            ids += self._without_piece(spelled) if known is None else (known,)
        return ids

    def _without_piece(self, spelled: str) -> Sequence[int]:
        """The ids of a symbol that is no piece; where merging made it, as llama.cpp does: of its ASCII characters."""
        if len(spelled) == 1 or not self._may_cut:
            return self._fallback(spelled)
        return [self._ids[character] for character in spelled if character.isascii() and character in self._ids]

    def _stays(self, spelled: str) -> bool:
        """Whether a symbol has an id or something represents it."""
        return spelled in self._ids or bool(self._fallback(spelled))

    def _with_affixes(self, part: str) -> list[str]:
        prefix, suffix = self._behaviour.continuing_prefix, self._behaviour.word_suffix
        symbols = self._behaviour.symbols(part) if self._behaviour.symbols else list(part)
        drops = self._drops and not self._may_cut  # of a word that may be cut, this is done before
        if prefix:
            symbols[1:] = [CONTINUES + symbol for symbol in symbols[1:]]
        if suffix and symbols:
            symbols[-1] += suffix
        return [symbol for symbol in symbols if self._stays(spelling(symbol, prefix))] if drops else symbols


def _spelled_out(rank: Rank, prefix: str) -> Rank:
    return lambda left, right: rank(spelling(left, prefix), spelling(right, prefix))
