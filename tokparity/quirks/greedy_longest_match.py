"""Matches the longest piece first instead of merging."""

from __future__ import annotations

from tokparity.behaviour import Behaviour, Segment, Segmenter, Trace
from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.reference.byte_alphabet import to_alphabet
from tokparity.reference.literals import compile_literals
from tokparity.reference.unknown import fallback
from tokparity.reference.wpm import wpm
from tokparity.vocabulary import Kind, Vocabulary


def greedy_longest_match(vocabulary: Vocabulary, behaviour: Behaviour) -> Segmenter:
    """The segmenter that always takes the longest piece; control, unknown, unused and byte pieces are never matched."""
    return LongestMatch(vocabulary, behaviour)


def _greedy(behaviour: Behaviour) -> Segment:
    # WordPiece takes the longest piece by definition.
    return behaviour.segment if behaviour.segment is wpm else greedy_longest_match


class LongestMatch:
    """At each position the longest piece; what no piece covers falls back character by character."""

    def __init__(self, vocabulary: Vocabulary, behaviour: Behaviour) -> None:
        self._byte_level = behaviour.byte_level
        self._fallback = fallback(vocabulary, behaviour)
        matched = {Kind.NORMAL, Kind.USER_DEFINED}
        self._ids = {
            piece.decode("utf-8", "surrogateescape"): i
            for piece, i in vocabulary.ids.items()
            if vocabulary.kinds[i] in matched
        }
        self._longest = compile_literals(self._ids)

    def __call__(self, word: str, trace: Trace | None = None) -> list[int]:
        spelled = to_alphabet(word) if self._byte_level else word
        ids: list[int] = []
        at = 0
        while at < len(spelled):
            found = self._longest.match(spelled, at) if self._longest else None
            piece = found.group() if found else spelled[at]
            if trace:
                trace("match", {"at": at, "piece": piece})
            ids += [self._ids[piece]] if found else self._fallback(piece)
            at += len(piece)
        return ids


QUIRK = Quirk(
    name="greedy_longest_match",
    title="Matches the longest piece first instead of merging",
    symptom=(
        "Fluent answers that have nothing to do with the prompt: most words are right, and some are cut at the wrong "
        "places."
    ),
    cause=(
        "At each position the longest piece that fits is taken. Models that were trained with merges or a unigram "
        "lattice know other cuts of the same words."
    ),
    fix=(
        "Merge by score (SPM) or by rank (BPE), or find the best path (UGM), as tokenizer.ggml.model or model.type "
        "says."
    ),
    field="segment",
    derive=_greedy,
    witness=lambda: toys.spm("bc ab a b c").on("abc"),
)
