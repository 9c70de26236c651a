"""Quirks of text that was in units of 16 bits before the tokenizer saw it."""

from __future__ import annotations

import re

from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.quirks.changed_text import of_text

_BEYOND_BMP = re.compile("[\U00010000-\U0010ffff]")


def in_surrogates(text: str) -> str:
    """Every character that 16 bits cannot hold as the six bytes of its two surrogates."""
    return _BEYOND_BMP.sub(lambda found: _escaped(found[0].encode("utf-16-be")), text)


def _escaped(units: bytes) -> str:
    """Two units of 16 bits as three bytes each, none of which is part of UTF-8."""
    halves = chr(int.from_bytes(units[:2])) + chr(int.from_bytes(units[2:]))
    return halves.encode("utf-8", "surrogatepass").decode("utf-8", "surrogateescape")


def with_long_nul(text: str) -> str:
    """As Java's native interface hands a text on: U+0000 is the bytes C0 80 as well."""
    return in_surrogates(text).replace("\0", "\udcc0\udc80")


def within_bmp(text: str) -> str:
    """U+FFFD for every character that 16 bits cannot hold."""
    return _BEYOND_BMP.sub("\ufffd", text)


def in_replaced_halves(text: str) -> str:
    """U+FFFD for each of the two surrogates of a character that 16 bits cannot hold."""
    return _BEYOND_BMP.sub("\ufffd\ufffd", text)


QUIRKS = (
    Quirk(
        name="replaces_beyond_bmp",
        title="Replaces characters beyond U+FFFF",
        symptom="Emoji and rare ideographs become U+FFFD. All other text has the right ids.",
        cause="The text went through a store that has no characters above U+FFFF: UCS-2, or a database with utf8mb3.",
        fix="Keep the text in UTF-8 (utf8mb4) all the way.",
        field="decode_text",
        derive=of_text(10, within_bmp),
        witness=lambda: toys.spm("a ▁", byte_pieces=True).on("a😀"),
    ),
    Quirk(
        name="reads_modified_utf8",
        title="Reads Java's modified UTF-8",
        symptom="Emoji and rare ideographs become six bytes instead of four, and U+0000 becomes two bytes (C0 80).",
        cause="Java's native interface (GetStringUTFChars) gives modified UTF-8: a character above U+FFFF is two "
        "surrogates of three bytes each.",
        fix="Pass the bytes of String.getBytes(UTF_8) instead, with their length.",
        field="decode_text",
        derive=of_text(5, with_long_nul),
        links=("https://docs.oracle.com/javase/8/docs/technotes/guides/jni/spec/types.html",),
        witness=lambda: toys.spm("a ▁", byte_pieces=True).on("a\0"),
    ),
    Quirk(
        name="reads_cesu8",
        title="Reads CESU-8: characters above U+FFFF as two surrogates",
        symptom="Emoji and rare ideographs become six bytes instead of four. All other text has the right ids.",
        cause="Text in UTF-16 was written unit by unit (CESU-8), by a database or a converter of its own.",
        fix="Join the two surrogates to one character before it is written as UTF-8.",
        field="decode_text",
        derive=of_text(6, in_surrogates),
        links=("https://www.unicode.org/reports/tr26/",),
        witness=lambda: toys.spm("a ▁", byte_pieces=True).on("a😀"),
    ),
)
