"""Puts a space before the text, but not after special tokens."""

from __future__ import annotations

from tokparity.quirk import Quirk
from tokparity.quirks import toys

QUIRK = Quirk(
    name="prefixes_text_once",
    title="Puts a space before the text, but not after special tokens",
    symptom="The word at the start of the text has the marker; the one after a special token has not.",
    cause=(
        "The space prefix is added where the input starts, and nowhere else (the legacy flag of Hugging Face, "
        "prepend_scheme first)."
    ),
    fix=(
        "Follow the model: add_space_prefix says whether at all, and its own tokenizer whether after special tokens "
        "as well."
    ),
    field="space_prefix",
    value="first",
    links=(
        "https://github.com/ggml-org/llama.cpp/pull/8248",
        "https://github.com/huggingface/transformers/pull/28010",
    ),
    witness=lambda: toys.spm("a ▁ ▁a").on("a"),
)
