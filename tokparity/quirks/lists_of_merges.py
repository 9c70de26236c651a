"""Quirks of algorithms that have a list of merges and do not go by it."""

from __future__ import annotations

from dataclasses import replace
from math import inf

from tokparity.behaviour import Behaviour, Segmenter, Trace
from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.quirks.merging import instead_of
from tokparity.reference.bpe import bpe
from tokparity.reference.byte_alphabet import letters
from tokparity.reference.spm import spm
from tokparity.vocabulary import Vocabulary


def by_score(vocabulary: Vocabulary, behaviour: Behaviour) -> Segmenter:
    """The segmenter of SPM for a model with a list of merges; without scores all pieces score the same."""
    scores = vocabulary.scores or (0.0,) * len(vocabulary)
    segmenter = spm(replace(vocabulary, scores=scores), behaviour)
    if not behaviour.byte_level:
        return segmenter
    spell = letters(behaviour)

    def segment(word: str, trace: Trace | None = None) -> list[int]:
        return segmenter(spell(word), trace)

    return segment


def by_spelling(vocabulary: Vocabulary, behaviour: Behaviour) -> Segmenter:
    """The segmenter that ranks a pair by the first merge that makes what the pair spells."""
    if not vocabulary.merges:
        return bpe(vocabulary, behaviour)
    places: dict[bytes, int] = {}
    for place, (left, right) in enumerate(vocabulary.merges):
        places.setdefault(left + right, place)
    return by_score(replace(vocabulary, scores=tuple(-places.get(p, inf) for p in vocabulary.pieces)), behaviour)


QUIRKS = (
    Quirk(
        name="merges_by_score",
        title="Merges by score although the model lists merges",
        symptom="Common words have the right ids. Rare words and runs of punctuation are cut at other places.",
        cause="The engine does not read tokenizer.ggml.merges. It merges the pair whose piece has the best score. "
        "In such a model the scores are often equal, so the leftmost pair wins.",
        fix="Merge by the pair's place in the list of merges alone.",
        field="segment",
        derive=instead_of(70, bpe, by_score),
        witness=lambda: toys.bpe("abc", "b+c a+b").on("abc"),
    ),
    Quirk(
        name="merges_by_spelling",
        title="Merges any pair that spells the result of a merge",
        symptom="A few words, mostly long and rare ones, become one token. The model's own tokenizer returns several.",
        cause="The engine looks a merge up by its result: a + bc is merged because ab + c is listed.",
        fix="Look up the pair itself: its left and its right half.",
        field="segment",
        derive=instead_of(80, bpe, by_spelling),
        witness=lambda: toys.bpe("abc", "b+c ab+c", more="ab").on("abc"),
    ),
)
