"""Scores user-defined pieces by the best score."""

from __future__ import annotations

from tokparity.quirk import Quirk
from tokparity.quirks import toys

QUIRK = Quirk(
    name="scores_user_defined_by_best",
    title="Scores user-defined pieces by the best score",
    symptom="Where two user-defined pieces overlap, or one competes with a chain of good pieces, another one wins.",
    cause="A user-defined piece of n bytes counts n times the best score less 0.1, as in SentencePiece before 0.2.3.",
    fix="Use the rule of the tokenizer that the model was trained with.",
    field="user_defined_score",
    value="best",
    witness=lambda: toys.unigram(toys.OVERLAP, kinds=toys.OVERLAP_KINDS, user_defined_score="length").on("abc"),
)
