"""Quirks of byte pieces that a language with UTF-16 strings writes: pieces are found, and only the rest is wrong."""

from __future__ import annotations

from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.quirks.utf16_text import in_replaced_halves, in_surrogates, with_long_nul

QUIRKS = (
    Quirk(
        name="writes_byte_pieces_of_cesu8",
        title="Writes six byte pieces for a character above U+FFFF",
        symptom="Emoji and rare ideographs that are no pieces become six byte tokens instead of four. Those that are "
        "pieces are right.",
        cause="Byte pieces are written for each unit of UTF-16, so each of the two surrogates becomes three bytes "
        "(CESU-8).",
        fix="Take the code point (codePointAt), and write the bytes of its UTF-8.",
        field="fallback_text",
        value=in_surrogates,
        witness=lambda: toys.spm("a ▁", byte_pieces=True).on("a😀"),
    ),
    Quirk(
        name="writes_byte_pieces_of_modified_utf8",
        title="Writes byte pieces of Java's modified UTF-8",
        symptom="Emoji and rare ideographs that are no pieces become six byte tokens instead of four, and U+0000 "
        "becomes <0xC0> <0x80>.",
        cause="The bytes of what is no piece come from Java's modified UTF-8 (writeUTF, GetStringUTFChars).",
        fix="Write the bytes of String.getBytes(UTF_8).",
        field="fallback_text",
        value=with_long_nul,
        links=("https://docs.oracle.com/javase/8/docs/technotes/guides/jni/spec/types.html",),
        witness=lambda: toys.spm("a ▁", byte_pieces=True).on("a\0"),
    ),
    Quirk(
        name="writes_byte_pieces_of_replaced_halves",
        title="Writes the byte pieces of two U+FFFD for an emoji",
        symptom="Emoji and rare ideographs that are no pieces become <0xEF> <0xBF> <0xBD> twice, and decoding loses "
        "them.",
        cause="Each unit of UTF-16 is encoded alone (TextEncoder). Half of a surrogate pair becomes U+FFFD.",
        fix="Encode the whole character: take the code point (codePointAt), not the unit (charCodeAt).",
        field="fallback_text",
        value=in_replaced_halves,
        witness=lambda: toys.spm("a ▁", byte_pieces=True).on("a😀"),
    ),
)
