"""Bytes to text and back: what happens to invalid UTF-8.

If bytes are kept, an invalid byte 0xNN is the lone surrogate U+DCNN, which no valid text contains. So every later
stage works on str, and `encode_text` returns the same bytes.
"""

from __future__ import annotations

import codecs

REPLACEMENT = "\ufffd"
INNER_SPACE = "\ud820"
"""A space that stands behind another in what one key of a charsmap becomes: it is not collapsed. No text holds it."""

NOTHING = "\ud821"
"""Begins a blank text in which a charsmap replaced something by nothing. No text holds it."""


def _each_byte(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return REPLACEMENT * (error.end - error.start), error.end


def _surrogates_as_bytes(error: UnicodeError) -> tuple[bytes, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    # U+DC00..U+DC7F too: a deviant engine may treat ASCII bytes as part of a broken character.
    return bytes(ord(c) & 0xFF for c in error.object[error.start : error.end]), error.end


codecs.register_error("tokparity.each_byte", _each_byte)
codecs.register_error("tokparity.surrogates_as_bytes", _surrogates_as_bytes)


def replace_each_byte(data: bytes) -> str:
    """Each byte that is not part of valid UTF-8 becomes one U+FFFD, as SentencePiece does it."""
    return data.decode("utf-8", "tokparity.each_byte")


def replace_maximal(data: bytes) -> str:
    """Each maximal subpart of an ill-formed sequence becomes one U+FFFD, as Python, Rust and browsers do it.

    Source: The Unicode Standard, section 3.9, "U+FFFD Substitution of Maximal Subparts".
    """
    return data.decode("utf-8", "replace")


def keep_bytes(data: bytes) -> str:
    """An invalid byte 0xNN becomes the lone surrogate U+DCNN, which later stages can tell from a U+FFFD in the text."""
    return data.decode("utf-8", "surrogateescape")


def encode_text(text: str) -> bytes:
    """The UTF-8 of a text; a lone surrogate U+DCNN is the byte 0xNN that it represents."""
    return text.encode("utf-8", "tokparity.surrogates_as_bytes")
