"""GPT-2's byte alphabet: each of the 256 bytes as one printable character ("Ġ" is the space).

Bytes that are printable in Latin-1 represent themselves; the others are U+0100 and on, in order.
Source: GPT-2 `encoder.py`, `bytes_to_unicode`.
"""

from __future__ import annotations

import codecs
from collections.abc import Callable

from tokparity.behaviour import Behaviour
from tokparity.reference.text import encode_text

_PRINTABLE = {*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)}
_HIDDEN = [byte for byte in range(256) if byte not in _PRINTABLE]

ALPHABET: tuple[str, ...] = tuple(chr(b) if b in _PRINTABLE else chr(0x100 + _HIDDEN.index(b)) for b in range(256))
"""The character of each byte value."""

BYTES: dict[str, int] = {character: byte for byte, character in enumerate(ALPHABET)}
"""The byte value of each character of the alphabet."""

_TABLE = "".join(ALPHABET)
_BYTES_OF = codecs.charmap_build(_TABLE)


def to_alphabet(text: str) -> str:
    """The UTF-8 of a text, one character of the alphabet for each byte."""
    return codecs.charmap_decode(encode_text(text), "strict", _TABLE)[0]


def letters(behaviour: Behaviour) -> Callable[[str], str]:
    """What spells words in the byte alphabet of a behavior."""
    return behaviour.byte_alphabet or to_alphabet


def from_alphabet(spelled: str) -> bytes:
    """The bytes of a text spelled in the alphabet; a character outside of it represents its own UTF-8."""
    try:
        return codecs.charmap_encode(spelled, "strict", _BYTES_OF)[0]
    except UnicodeEncodeError:
        return b"".join(bytes((BYTES[c],)) if c in BYTES else encode_text(c) for c in spelled)
