"""Sums unigram scores without ever starting anew."""

from __future__ import annotations

from tokparity.quirk import Quirk
from tokparity.quirks import toys

QUIRK = Quirk(
    name="never_rebases_sums",
    title="Sums unigram scores without ever starting anew",
    symptom="Texts of a hundred thousand characters and more differ somewhere near their end.",
    cause=(
        "The sum of scores grows with the text, and its last bits get lost; recent SentencePiece subtracts the sum "
        "now and then."
    ),
    fix=(
        "Subtract a position's sum from all sums when it falls below -100000, or cut the text where no piece can cross."
    ),
    field="rebase_below",
    value=None,
    witness=lambda: toys.unigram(toys.NEAR_TIE, score_bits=32, rebase_below=-1000.0).on("abc"),
)
