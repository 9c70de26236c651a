"""Replaces each broken sequence by one U+FFFD."""

from __future__ import annotations

from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.reference.text import replace_each_byte, replace_maximal

QUIRK = Quirk(
    name="replaces_maximal_subparts",
    title="Replaces each broken sequence by one U+FFFD",
    symptom=(
        "Only texts that are no UTF-8 differ: one replacement character (or its three bytes) for several broken bytes."
    ),
    cause=(
        "Input is decoded with one U+FFFD for each maximal subpart of an ill-formed sequence, as Rust and Python do it."
    ),
    fix="Follow the model's tokenizer: SentencePiece replaces each byte.",
    field="decode_text",
    value=replace_maximal,
    witness=lambda: toys.spm("a b", byte_pieces=True, decode_text=replace_each_byte).on(b"a\xe2\x96b"),
)
