"""Matches the longest piece first instead of merging."""

from __future__ import annotations

from collections.abc import Iterable

from tokparity.behaviour import Behaviour, Segment, Segmenter, Trace
from tokparity.quirk import Derived, Place, Quirk
from tokparity.quirks import toys
from tokparity.reference.byte_alphabet import letters
from tokparity.reference.unknown import fallback
from tokparity.reference.wpm import wpm
from tokparity.vocabulary import Kind, Vocabulary


def greedy_longest_match(vocabulary: Vocabulary, behaviour: Behaviour) -> Segmenter:
    """The segmenter that always takes the longest piece; control, unknown, unused and byte pieces are never matched."""
    return LongestMatch(vocabulary, behaviour)


def _greedy(behaviour: Behaviour) -> Segment:
    # WordPiece takes the longest piece by definition.
    return behaviour.segment if behaviour.segment is wpm else greedy_longest_match


def longest_by_beginning(pieces: Iterable[str]) -> dict[str, int]:
    """How long the longest piece is of those that begin with the same two characters.

    A pattern of all pieces would do, but takes seconds to compile for the largest vocabularies.
    """
    longest: dict[str, int] = {}
    for piece in pieces:
        longest[piece[:2]] = max(len(piece), longest.get(piece[:2], 0))
    return longest


class LongestMatch:
    """At each position the longest piece; what no piece covers falls back character by character."""

    def __init__(self, vocabulary: Vocabulary, behaviour: Behaviour) -> None:
        self._byte_level, self._spell = behaviour.byte_level, letters(behaviour)
        self._fallback = fallback(vocabulary, behaviour)
        matched = {Kind.NORMAL, Kind.USER_DEFINED}
        self._ids = {
            piece.decode("utf-8", "surrogateescape"): i
            for piece, i in vocabulary.model_ids.items()
            if vocabulary.kinds[i] in matched
        }
        self._longest = longest_by_beginning(self._ids)

    def __call__(self, word: str, trace: Trace | None = None) -> list[int]:
        spelled = self._spell(word) if self._byte_level else word
        ids: list[int] = []
        at = 0
        while at < len(spelled):
            piece = self._piece_at(spelled, at)
            if trace:
                trace("match", {"at": at, "piece": piece})
            known = self._ids.get(piece)
            ids += self._fallback(piece) if known is None else [known]
            at += len(piece)
        return ids

    def _piece_at(self, text: str, at: int) -> str:
        """The longest piece that begins there, else the character."""
        longest = self._longest.get(text[at : at + 2], 1)
        for end in range(min(at + longest, len(text)), at, -1):
            if text[at:end] in self._ids:
                return text[at:end]
        return text[at]


QUIRK = Quirk(
    name="greedy_longest_match",
    title="Matches the longest piece first instead of merging",
    symptom="The model's answers are fluent and have nothing to do with the prompt. Most words have the right ids; "
    "some are cut at the wrong places.",
    cause="The engine takes the longest piece that fits at each position. The model was trained with merges or a "
    "unigram lattice, which cut some words elsewhere.",
    fix="Merge by score (SPM) or by rank (BPE), or search the best path (unigram), as tokenizer.ggml.model or "
    "model.type says.",
    field="segment",
    derive=Derived(Place.PART, 40, _greedy),
    witness=lambda: toys.spm("bc ab a b c").on("abc"),
)
