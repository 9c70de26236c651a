"""Leaves out what the model puts before a text (BOS)."""

from __future__ import annotations

from tokparity.quirk import Quirk
from tokparity.quirks import toys

QUIRK = Quirk(
    name="omits_bos",
    title="Leaves out what the model puts before a text (BOS)",
    symptom="Every text lacks its first id; answers are worse, above all at the start.",
    cause="add_bos_token is not read, or the default for the kind of tokenizer is wrong.",
    fix="Put the beginning-of-sequence id before the text where the model asks for it.",
    field="prefix_ids",
    value=(),
    links=("https://github.com/ggml-org/llama.cpp/pull/4040",),
    witness=lambda: toys.spm("a b").on("ab", add_special=True),
)
