"""Keeps spaces before punctuation when decoding."""

from __future__ import annotations

from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.reference import splits

QUIRK = Quirk(
    name="keeps_spaces_before_punctuation",
    title="Keeps spaces before punctuation when decoding",
    symptom="Decoded text of a WordPiece model has a space before each full stop and comma.",
    cause="clean_up_tokenization_spaces is off, or the decoder's own clean-up is not done.",
    fix="Clean up where the model's decoder does.",
    field="clean_up",
    value=False,
    links=("https://github.com/huggingface/transformers/pull/42916",),
    witness=lambda: toys.wordpiece("a !", clean_up=True, pretokenise=splits.Bert()).on("a !"),
)
