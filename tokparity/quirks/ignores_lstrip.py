"""Keeps white space before tokens with lstrip."""

from __future__ import annotations

from tokparity.quirk import Quirk
from tokparity.quirks import toys

QUIRK = Quirk(
    name="ignores_lstrip",
    title="Keeps white space before tokens with lstrip",
    symptom="A space token stands before <mask> and the like.",
    cause="The attribute lstrip of added tokens is lost in the conversion or not obeyed.",
    fix="Let the token take the white space on its left.",
    field="obeys_lstrip",
    value=False,
    links=("https://github.com/ggml-org/llama.cpp/pull/7375",),
    witness=lambda: toys.spm("a ▁ <m>", added=(toys.special("<m>", 5, lstrip=True),)).on("a <m>", parse_special=True),
)
