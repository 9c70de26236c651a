"""Removes spaces before punctuation when decoding."""

from __future__ import annotations

from tokparity.quirk import Quirk
from tokparity.quirks import toys

QUIRK = Quirk(
    name="cleans_up_spaces",
    title="Removes spaces before punctuation when decoding",
    symptom="Decoded text loses spaces: x != y becomes x!= y, and quotes stick to words.",
    cause="clean_up_tokenization_spaces is on, a default from the time of BERT.",
    fix="Switch it off for everything but WordPiece models that were made for it.",
    field="clean_up",
    value=True,
    links=(
        "https://github.com/huggingface/transformers/issues/31187",
        "https://github.com/huggingface/transformers/issues/35175",
        "https://github.com/huggingface/transformers/issues/32575",
    ),
    witness=lambda: toys.spm("a ▁ ▁! !").on("a !"),
)
