"""WPM: WordPiece, as BERT does it. Words are cut into pieces greedily, the longest piece first.

1. At the start of the word find the longest piece that the word begins with.
2. Go on behind it with pieces that continue a word (spelled "##...").
3. If at some place nothing fits, the whole word is unknown. A word that is too long is unknown as well.

Source: BERT's `tokenization.py` (WordpieceTokenizer). A GGUF marks the pieces that begin a word: "▁...".
"""

from __future__ import annotations

from tokparity.behaviour import Behaviour, Segmenter, Trace
from tokparity.vocabulary import BEGINNINGS, Vocabulary

CONTINUING = "##"
"""What BERT spells before a piece that continues a word."""


def wpm(vocabulary: Vocabulary, behaviour: Behaviour) -> Segmenter:
    """The segmenter for WordPiece vocabularies."""
    return Wpm(vocabulary, behaviour)


class Wpm:
    """Greedy longest match within a word."""

    def __init__(self, vocabulary: Vocabulary, behaviour: Behaviour) -> None:
        self.behaviour = behaviour
        self.ids = vocabulary.spelled_ids
        self.longest = max(map(len, self.ids), default=0)
        self._beginnings = vocabulary.beginnings
        self._unknown = [] if vocabulary.unknown_id is None else [vocabulary.unknown_id]

    def __call__(self, word: str, trace: Trace | None = None) -> list[int]:
        limit = self.behaviour.max_word_chars
        if limit is not None and len(word) > limit:
            if trace:
                trace("too long", {"characters": len(word), "limit": limit})
            return self._unknown
        spelled = self.behaviour.word_prefix + word
        ids: list[int] = []
        start = 0
        while start < len(spelled):
            piece, end = self._longest_piece(spelled, start)
            if trace:
                trace("match", {"at": start, "piece": piece})
            if piece is None:
                return self._unknown
            ids.append(self.ids[piece])
            start = end
        return ids

    def _longest_piece(self, spelled: str, start: int) -> tuple[str | None, int]:
        """The longest piece that fits at a place of the word, and where it ends."""
        shortest = start if start else len(self.behaviour.word_prefix)
        for end in range(self.reach(spelled, start), shortest, -1):
            piece = self.piece(spelled[start:end], start > 0)
            if piece is not None:
                return piece, end
        return None, start

    def reach(self, spelled: str, start: int) -> int:
        """Where the longest part from `start` on ends that some piece begins with: no piece that fits is longer.

        Of longer pieces than are walked through this is where the longest of all would end.
        """
        mark = self.behaviour.continuing_prefix if start else ""
        text, end = (mark + spelled[start : start + BEGINNINGS])[:BEGINNINGS], 0
        while end < len(text) and text[: end + 1] in self._beginnings:
            end += 1
        return start + end - len(mark) if end < BEGINNINGS else min(len(spelled), start + self.longest)

    def piece(self, part: str, inside: bool) -> str | None:
        """How the vocabulary spells a part of a word, if it has it; `inside`: the part does not begin the word."""
        if not inside:
            return part if part in self.ids else None
        mark = self.behaviour.word_prefix
        piece = self.behaviour.continuing_prefix + part
        # A piece that is marked as a word's beginning is none inside of a word that spells the mark itself.
        return piece if piece in self.ids and not (mark and piece.startswith(mark)) else None


def as_bert_spells(piece: str, word_prefix: str) -> str:
    """A piece of a GGUF in BERT's own spelling: the one marks the pieces that begin a word, the other those that don't.

    A name in brackets ("[unused7]") has no mark in either. Source: llama.cpp's `convert_hf_to_gguf.py`, BertModel.
    """
    if piece.startswith(word_prefix):
        return piece.removeprefix(word_prefix)
    return piece if len(piece) > 2 and piece[0] == "[" and piece[-1] == "]" else CONTINUING + piece
