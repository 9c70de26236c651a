"""Walks the unigram lattice by grapheme clusters."""

from __future__ import annotations

from math import inf

import regex

from tokparity.behaviour import Behaviour, Segment, Segmenter, Trace
from tokparity.quirk import Derived, Place, Quirk, github
from tokparity.quirks import toys
from tokparity.reference.lattice import PREFIX_ONLY, Lattice, lattice
from tokparity.reference.ugm import ugm
from tokparity.reference.unknown import fallback, fuse_unknown
from tokparity.vocabulary import Vocabulary

KEYCAP_ONE = "1\N{VARIATION SELECTOR-16}\N{COMBINING ENCLOSING KEYCAP}"


def walk_clusters(vocabulary: Vocabulary, behaviour: Behaviour) -> Segmenter:
    """Viterbi over the pieces that begin and end at the borders of grapheme clusters."""
    pieces = lattice(vocabulary, behaviour)
    fall_back = fallback(vocabulary, behaviour)

    def segment(word: str, trace: Trace | None = None) -> list[int]:
        ids: list[int] = []
        for piece in _best_path(regex.findall(r"\X", word), pieces, trace):
            known = pieces.ids.get(piece)
            ids += fall_back(piece) if known is None else [known]
        return fuse_unknown(ids, vocabulary.unknown_id) if behaviour.fuse_unknown else ids

    return segment


def _best_path(clusters: list[str], pieces: Lattice, trace: Trace | None) -> list[str]:
    best = [0.0] + [-inf] * len(clusters)
    last = [""] * len(best)
    begins = [0] * len(best)
    for start in range(len(clusters)):
        piece = ""
        for end in range(start + 1, len(clusters) + 1):
            piece += clusters[end - 1]
            score = pieces.of_beginning(piece)
            if end == start + 1 and score in (None, PREFIX_ONLY):
                score = pieces.unknown_score
            if score is None:
                break
            if score != PREFIX_ONLY and best[start] + score > best[end]:
                best[end], begins[end], last[end] = best[start] + score, start, piece
    if trace:
        trace("lattice", {"best": [{"cluster": n, "piece": last[n], "score": best[n]} for n in range(1, len(best))]})
    path: list[str] = []
    end = len(clusters)
    while end:
        path.append(last[end])
        end = begins[end]
    return path[::-1]


def _clustered(behaviour: Behaviour) -> Segment:
    return walk_clusters if behaviour.segment is ugm else behaviour.segment


QUIRK = Quirk(
    name="walks_grapheme_clusters",
    title="Walks the unigram lattice by grapheme clusters",
    symptom="Keycaps, flags, Thai and Indic vowels, and any letter with a combining mark become unknown tokens or "
    "byte pieces.",
    cause="The lattice has positions only between user-perceived characters, as strings of Swift count them. A "
    "piece that ends inside such a character is never found.",
    fix="Walk Unicode scalar values, which pieces are made of.",
    field="segment",
    derive=Derived(Place.PART, 30, _clustered),
    links=github("huggingface/swift-transformers/pull/356"),
    witness=lambda: toys.unigram({"1": -1, "a": -2}).on(KEYCAP_ONE + "a"),
)
