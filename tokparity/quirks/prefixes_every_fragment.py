"""Puts a space before every fragment between special tokens."""

from __future__ import annotations

from tokparity.quirk import Quirk
from tokparity.quirks import toys

QUIRK = Quirk(
    name="prefixes_every_fragment",
    title="Puts a space before every fragment between special tokens",
    symptom="The word after a special token is the piece with the marker.",
    cause="The space prefix is added after each special token, not only where the text starts.",
    fix="Add the prefix only at the start of the text; or leave it out where the model has add_space_prefix = false.",
    field="space_prefix",
    value="always",
    links=(
        "https://github.com/ggml-org/llama.cpp/issues/8584",
        "https://github.com/ggml-org/llama.cpp/pull/7697",
    ),
    witness=lambda: toys.spm("a ▁ ▁a", space_prefix="first").on("a<s>a", parse_special=True),
)
