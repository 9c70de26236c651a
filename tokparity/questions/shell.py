"""Words of a command line, as a shell takes them."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence

_PRINTABLE_ASCII = re.compile(rb"[\x20-\x7e]*")


def command_line(words: Sequence[str]) -> str:
    """The words of a command as a shell takes them."""
    return " ".join(quote(word.encode("utf-8", "surrogateescape")) for word in words)


def quote(text: bytes) -> str:
    """The text as one word of bash, exactly, and without a character that does not print."""
    if _PRINTABLE_ASCII.fullmatch(text):
        return shlex.quote(text.decode("ascii"))
    return "$'" + "".join(map(_escape, text.decode("utf-8", "surrogateescape"))) + "'"


def _escape(character: str) -> str:
    if character in "\\'":
        return "\\" + character
    if character == "\n":
        return "\\n"
    if character.isprintable():
        return character
    return "".join(f"\\x{byte:02x}" for byte in character.encode("utf-8", "surrogateescape"))
