"""Replaces each invalid byte by U+FFFD."""

from __future__ import annotations

from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.reference.text import replace_each_byte

QUIRK = Quirk(
    name="replaces_each_invalid_byte",
    title="Replaces each invalid byte by U+FFFD",
    symptom="Only texts that are no UTF-8 differ: one replacement character (or its three bytes) per broken byte.",
    cause="Input is decoded with one U+FFFD for each byte that is not part of valid UTF-8.",
    fix="Follow the model's tokenizer: SentencePiece does this, Rust and Python replace whole maximal subparts.",
    field="decode_text",
    value=replace_each_byte,
    links=(
        "https://github.com/ggml-org/llama.cpp/issues/8691",
        "https://github.com/ggml-org/llama.cpp/pull/11729",
    ),
    witness=lambda: toys.spm("a b", byte_pieces=True).on(b"a\xe2\x96b"),
)
