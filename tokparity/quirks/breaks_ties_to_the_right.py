"""Merges the rightmost of equal pairs first."""

from __future__ import annotations

from tokparity.quirk import Quirk
from tokparity.quirks import toys

QUIRK = Quirk(
    name="breaks_ties_to_the_right",
    title="Merges the rightmost of equal pairs first",
    symptom="Runs of one character (!!!!!!, =====) are cut with the short piece in front instead of at the end.",
    cause="Of several pairs with the same score or rank, the one further right is merged first.",
    fix="Order candidates by score or rank, then by position from the left.",
    field="tie_break",
    value="right",
    links=("https://github.com/huggingface/tokenizers/issues/1213",),
    witness=lambda: toys.spm("!! !").on("!!!"),
)
