"""Leaves invalid bytes out."""

from __future__ import annotations

from tokparity.quirk import Quirk
from tokparity.quirks import toys


def drop_invalid(data: bytes) -> str:
    """Invalid bytes go."""
    return data.decode("utf-8", "ignore")


QUIRK = Quirk(
    name="drops_invalid_bytes",
    title="Leaves invalid bytes out",
    symptom="Only texts that are no UTF-8 differ: the broken bytes are gone.",
    cause="Input is decoded with errors ignored.",
    fix="Replace what is no UTF-8 by U+FFFD, or keep the bytes, as the model's tokenizer does.",
    field="decode_text",
    value=drop_invalid,
    links=("https://github.com/abetlen/llama-cpp-python/pull/118",),
    witness=lambda: toys.spm("a b", byte_pieces=True).on(b"a\xe2\x96b"),
)
