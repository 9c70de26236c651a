"""Leaves special tokens out of decoded text."""

from __future__ import annotations

from tokparity.quirk import Quirk
from tokparity.quirks import toys

QUIRK = Quirk(
    name="hides_specials_when_decoding",
    title="Leaves special tokens out of decoded text",
    symptom="Decoding does not show BOS, EOS and the markers of a chat.",
    cause="skip_special_tokens is on although it was not asked for.",
    fix="Leave special tokens out only when asked to.",
    field="skip_special",
    value=True,
    links=("https://github.com/abetlen/llama-cpp-python/pull/1596",),
    witness=lambda: toys.spm("a b").on("<s>ab", parse_special=True),
)
