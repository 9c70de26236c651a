"""Gives the bytes of a broken character when decoding, where the original gives U+FFFD."""

from __future__ import annotations

from dataclasses import replace

from tokparity.behaviour import Decode
from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.quirks.changed_stages import decodes_with
from tokparity.reference.decode import (
    DecodePieces,
    HuggingFaceDecode,
    decode_between_specials,
    decode_byte_level,
    decode_byte_level_text,
)
from tokparity.reference.decode_stages import ByteFallback, ByteLevel, DecodeStage
from tokparity.reference.text import keep_bytes


def raw(decode: Decode) -> Decode:
    """What gives bytes as they are where `decode` makes valid text of them."""
    if isinstance(decode, DecodePieces):
        return replace(decode, invalid_bytes="kept")
    if isinstance(decode, HuggingFaceDecode):
        return replace(decode, stages=decode.stages and tuple(_raw_stage(stage) for stage in decode.stages))
    return decode_byte_level if decode in (decode_between_specials, decode_byte_level_text) else decode


def _raw_stage(stage: DecodeStage) -> DecodeStage:
    return replace(stage, invalid_bytes="kept") if isinstance(stage, ByteLevel | ByteFallback) else stage


QUIRK = Quirk(
    name="leaves_broken_utf8_when_decoding",
    title="Gives the bytes of a broken character when decoding, where the original gives U+FFFD",
    symptom="Ids that are cut within a character, or a model that lacks some bytes, decode to what is no UTF-8.",
    cause="The bytes of the pieces are joined and given as they are, for a caller who joins a stream.",
    fix="None is needed in a stream; a whole text has to be made valid at its end.",
    field="decode",
    derive=decodes_with(raw),
    witness=lambda: toys.byte_bpe("", decode=decode_byte_level_text, decode_text=keep_bytes).on(b"\xc3"),
)
