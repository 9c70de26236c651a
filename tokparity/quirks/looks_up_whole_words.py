"""Looks words up whole although merging was asked for."""

from __future__ import annotations

from tokparity.quirk import Quirk
from tokparity.quirks import toys

QUIRK = Quirk(
    name="looks_up_whole_words",
    title="Looks words up whole although merging was asked for",
    symptom="A few rare words are one token where the model was trained with several.",
    cause="A pre-token that is a piece becomes that piece, as with ignore_merges, in a model that does not have it.",
    fix="Look whole words up only where the model has ignore_merges.",
    field="ignore_merges",
    value=True,
    links=("https://github.com/ggml-org/llama.cpp/pull/7193",),
    witness=lambda: toys.bpe("abc", "b+c", more="abc").on("abc"),
)
