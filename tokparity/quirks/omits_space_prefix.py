"""Puts no space before the text."""

from __future__ import annotations

from tokparity.quirk import Quirk
from tokparity.quirks import toys

QUIRK = Quirk(
    name="omits_space_prefix",
    title="Puts no space before the text",
    symptom="The first word of every text is the piece without the marker, as if it continued a word.",
    cause="The dummy prefix (add_dummy_prefix, add_space_prefix) is not applied.",
    fix="Put one space before the text where the model asks for it.",
    field="space_prefix",
    value="never",
    links=(
        "https://github.com/ggml-org/llama.cpp/issues/8584",
        "https://github.com/huggingface/transformers/issues/29625",
    ),
    witness=lambda: toys.spm("a ▁ ▁a", space_prefix="first").on("a"),
)
