"""Wraps every text, asked or not."""

from __future__ import annotations

from tokparity.quirk import Quirk
from tokparity.quirks import toys

QUIRK = Quirk(
    name="adds_special_unasked",
    title="Wraps every text, asked or not",
    symptom="BOS stands in the middle of prompts that are built from parts, or twice after a chat template.",
    cause="add_special = false is not obeyed.",
    fix="Add BOS and EOS only when the caller asks.",
    field="adds_special",
    value="always",
    links=("https://github.com/ggml-org/llama.cpp/pull/10129",),
    witness=lambda: toys.spm("a b").on("ab"),
)
