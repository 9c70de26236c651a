"""Sums unigram scores in 64 bits."""

from __future__ import annotations

from tokparity.quirk import Quirk
from tokparity.quirks import toys

QUIRK = Quirk(
    name="sums_scores_in_double",
    title="Sums unigram scores in 64 bits",
    symptom="Very few texts differ, all of them long or with two cuts that score nearly the same.",
    cause=(
        "The path is summed in double precision where the model's own tokenizer uses single precision, so near ties "
        "fall differently."
    ),
    fix="Sum in the width of the model's tokenizer: SentencePiece has 32 bits, Hugging Face 64.",
    field="score_bits",
    value=64,
    links=("https://github.com/google/sentencepiece/issues/843",),
    witness=lambda: toys.unigram(toys.NEAR_TIE, score_bits=32).on("abc"),
)
