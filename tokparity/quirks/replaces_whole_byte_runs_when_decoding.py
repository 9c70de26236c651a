"""Replaces every byte of a run of byte pieces by U+FFFD when decoding, if one of them is no UTF-8."""

from __future__ import annotations

from dataclasses import replace

from tokparity.behaviour import Decode
from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.quirks.changed_stages import decodes_with
from tokparity.reference.decode import DecodePieces
from tokparity.reference.text import keep_bytes


def whole_runs(decode: Decode) -> Decode:
    """What replaces whole runs where `decode` replaces single bytes."""
    return replace(decode, invalid_bytes="run_replaced") if isinstance(decode, DecodePieces) else decode


QUIRK = Quirk(
    name="replaces_whole_byte_runs_when_decoding",
    title="Replaces every byte of a run of byte pieces when decoding, if one of them is no UTF-8",
    symptom="Beside a broken character, good ones that are spelled in byte pieces are lost as well.",
    cause="The bytes of a run are decoded together, and where that fails each of them becomes U+FFFD.",
    fix="Replace only the bytes that are no UTF-8.",
    field="decode",
    derive=decodes_with(whole_runs),
    links=("https://github.com/huggingface/tokenizers/blob/main/tokenizers/src/decoders/byte_fallback.rs",),
    witness=lambda: toys.spm("a b", byte_pieces=True, decode_text=keep_bytes).on(b"\xc3!"),
)
