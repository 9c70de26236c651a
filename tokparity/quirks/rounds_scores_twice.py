"""Reads scores from their decimal digits with a rounding error."""

from __future__ import annotations

from tokparity.quirk import Quirk
from tokparity.quirks import toys

QUIRK = Quirk(
    name="rounds_scores_twice",
    title="Reads scores from their decimal digits with a rounding error",
    symptom="Very few texts differ, mostly repeated characters, where the same pieces come in another order.",
    cause=(
        "Scores of 16 digits and more are read as a whole number divided by a power of ten, which rounds twice, as "
        "serde_json does by default. Sums that should be equal then differ in the last place, and the tie falls the "
        "other way."
    ),
    fix=(
        "Parse floating-point numbers exactly (serde_json: the feature `float_roundtrip`), or write the scores in the "
        "file with 15 digits or fewer."
    ),
    field="score_parsing",
    value="divided",
    links=("https://github.com/serde-rs/json/issues/707", "https://github.com/serde-rs/json/issues/1336"),
    witness=lambda: toys.unigram(toys.LONG_SCORES).on("-------"),
)
