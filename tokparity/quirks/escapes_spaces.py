"""Writes the marker for each space although the model has none."""

from __future__ import annotations

from tokparity.quirk import Quirk
from tokparity.quirks import toys

QUIRK = Quirk(
    name="escapes_spaces",
    title="Writes the marker for each space although the model has none",
    symptom="Spaces come out as ▁, which the model knows, if at all, as a rare character.",
    cause="Spaces are escaped for every kind of tokenizer.",
    fix="Escape spaces only for SentencePiece vocabularies.",
    field="space_marker",
    value="▁",
    witness=lambda: toys.byte_bpe("Ġ+a").on("a a"),
)
