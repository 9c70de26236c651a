"""Merges a unigram vocabulary by score."""

from __future__ import annotations

from tokparity.behaviour import Behaviour, Segment
from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.reference.spm import spm
from tokparity.reference.ugm import ugm


def _swapped(behaviour: Behaviour) -> Segment:
    return spm if behaviour.segment is ugm else behaviour.segment


QUIRK = Quirk(
    name="merges_unigram_by_score",
    title="Merges a unigram vocabulary by score",
    symptom=(
        "Common words agree, because whole words are pieces with good scores; longer and rarer ones are cut "
        "differently."
    ),
    cause=(
        "Every SentencePiece vocabulary is taken for SPM: the adjacent pair that spells the best-scored piece is "
        "merged first. A unigram model wants the path with the best sum."
    ),
    fix="Read trainer_spec.model_type (tokenizer.ggml.model: llama is SPM, t5 is unigram) and run Viterbi for unigram.",
    field="segment",
    derive=_swapped,
    witness=lambda: toys.unigram({"a": -3, "b": -3, "c": -3, "d": -3, "ab": -2, "bc": -1, "cd": -2}).on("abcd"),
)
