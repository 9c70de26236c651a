"""Gives user-defined pieces a bonus by length."""

from __future__ import annotations

from tokparity.quirk import Quirk
from tokparity.quirks import toys

QUIRK = Quirk(
    name="scores_user_defined_by_length",
    title="Gives user-defined pieces a bonus by length",
    symptom="Where two user-defined pieces overlap, or one competes with a chain of good pieces, another one wins.",
    cause=(
        "A user-defined piece of n bytes counts 0.1 (n - 1), as in SentencePiece 0.2.3, where the model's tokenizer "
        "has another rule."
    ),
    fix="Use the rule of the tokenizer that the model was trained with.",
    field="user_defined_score",
    value="length",
    witness=lambda: toys.unigram(toys.OVERLAP, kinds=toys.OVERLAP_KINDS).on("abc"),
)
