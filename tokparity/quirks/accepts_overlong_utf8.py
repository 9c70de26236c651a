"""Decodes forms of UTF-8 that are not allowed."""

from __future__ import annotations

from tokparity.quirk import Quirk, github
from tokparity.quirks import toys
from tokparity.reference.text import REPLACEMENT

_SIZES = {0b110: (2, 0x1F), 0b1110: (3, 0x0F), 0b11110: (4, 0x07)}


def decode_leniently(data: bytes) -> str:
    """UTF-8 by lead byte and continuation bits only. Source: llama.cpp, `unicode_cpt_from_utf8`."""
    parts: list[str] = []
    at = 0
    while at < len(data):
        character, size = _decode_one(data[at : at + 4])
        parts.append(character)
        at += size
    return "".join(parts)


def _decode_one(data: bytes) -> tuple[str, int]:
    lead = data[0]
    if lead < 0x80:
        return chr(lead), 1
    size, mask = next((_SIZES[lead >> shift] for shift in (5, 4, 3) if lead >> shift in _SIZES), (1, 0))
    tail = data[1:size]
    if size == 1 or len(tail) < size - 1 or any(byte >> 6 != 0b10 for byte in tail):
        return REPLACEMENT, 1
    code = lead & mask
    for byte in tail:
        code = code << 6 | byte & 0x3F
    # No character, but three or four bytes that go on as they are.
    if 0xD800 <= code < 0xE000 or code > 0x10FFFF:
        return "".join(chr(0xDC00 + byte) for byte in data[:size]), size
    return chr(code), size


QUIRK = Quirk(
    name="accepts_overlong_utf8",
    title="Decodes forms of UTF-8 that are not allowed",
    symptom="Only texts that are not UTF-8 differ: an overlong form becomes a character (the bytes C0 B9 become the "
    "digit 9).",
    cause="The decoder checks the lead byte and the continuation bits. It does not check that the form is the "
    "shortest. Other invalid bytes become one U+FFFD each.",
    fix="Refuse overlong forms, surrogates and numbers above U+10FFFF.",
    field="decode_text",
    value=decode_leniently,
    links=github("ggml-org/llama.cpp/pull/11729"),
    witness=lambda: toys.spm("9", byte_pieces=True).on(b"\xc0\xb9"),
)
