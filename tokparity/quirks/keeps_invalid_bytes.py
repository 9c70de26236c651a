"""Keeps invalid bytes instead of replacing them."""

from __future__ import annotations

from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.reference.text import keep_bytes, replace_each_byte

QUIRK = Quirk(
    name="keeps_invalid_bytes",
    title="Keeps invalid bytes instead of replacing them",
    symptom="Only texts that are no UTF-8 differ: each broken byte is its own byte piece.",
    cause="Input is not checked for valid UTF-8.",
    fix="Replace what is no UTF-8 by U+FFFD where the model's tokenizer does.",
    field="decode_text",
    value=keep_bytes,
    witness=lambda: toys.spm("a b", byte_pieces=True, decode_text=replace_each_byte).on(b"a\xe2\x96b"),
)
