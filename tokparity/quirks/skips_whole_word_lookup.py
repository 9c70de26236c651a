"""Merges words that should be looked up whole."""

from __future__ import annotations

from tokparity.quirk import Quirk
from tokparity.quirks import toys

QUIRK = Quirk(
    name="skips_whole_word_lookup",
    title="Merges words that should be looked up whole",
    symptom="A few words, often with accents, are three tokens instead of one.",
    cause=(
        "ignore_merges is not obeyed: a word that is a piece is still built by merging, which does not always lead "
        "there."
    ),
    fix="Look the whole pre-token up first where the model has ignore_merges (Llama 3, tiktoken).",
    field="ignore_merges",
    value=False,
    links=("https://github.com/ggml-org/llama.cpp/pull/7193",),
    witness=lambda: toys.bpe("abc", "b+c", more="abc", ignore_merges=True).on("abc"),
)
