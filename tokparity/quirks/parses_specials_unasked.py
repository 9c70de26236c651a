"""Recognises special tokens although it was asked not to."""

from __future__ import annotations

from tokparity.quirk import Quirk
from tokparity.quirks import toys

QUIRK = Quirk(
    name="parses_specials_unasked",
    title="Recognises special tokens although it was asked not to",
    symptom=(
        "A user who writes <s> or <|im_end|> in plain text ends up with the control token: a hole for prompt injection."
    ),
    cause="parse_special = false is not obeyed.",
    fix="Leave special tokens as text unless the caller asks for them.",
    field="parses_special",
    value="always",
    links=("https://github.com/ggml-org/llama.cpp/issues/26309",),
    witness=lambda: toys.spm("< s >").on("<s>"),
)
