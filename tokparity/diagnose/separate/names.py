"""What a character is called in a sentence."""

from __future__ import annotations

import unicodedata

_CONTROLS = {
    "\0": "NULL",
    "\t": "TAB",
    "\n": "LINE FEED",
    "\v": "LINE TABULATION",
    "\f": "FORM FEED",
    "\r": "CARRIAGE RETURN",
    "\x1b": "ESCAPE",
    "\x7f": "DELETE",
    "\x85": "NEXT LINE",
}
"""The names that people give to control characters, which have none in Unicode."""


def named(character: str) -> str:
    """A character as its code point with its name."""
    if "\udc80" <= character <= "\udcff":
        return f"the byte 0x{ord(character) - 0xDC00:02X}, which is not UTF-8"
    name = unicodedata.name(character, _CONTROLS.get(character, ""))
    return f"U+{ord(character):04X}" + (f" ({name})" if name else "")
