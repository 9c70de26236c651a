"""Writes the unknown token where the model has byte pieces."""

from __future__ import annotations

from tokparity.quirk import Quirk
from tokparity.quirks import toys

QUIRK = Quirk(
    name="ignores_byte_fallback",
    title="Writes the unknown token where the model has byte pieces",
    symptom="Emoji, rare scripts and control characters all become the same token, and decoding loses them.",
    cause="Text that no piece covers becomes <unk> although the vocabulary holds <0x00> to <0xFF>.",
    fix="Spell uncovered characters in UTF-8 and write one byte piece per byte (byte_fallback).",
    field="fallback",
    value="unknown",
    links=("https://github.com/ggml-org/llama.cpp/issues/28862",),
    witness=lambda: toys.spm("a b", byte_pieces=True).on("aéb"),
)
