"""Words of a command line, as a shell takes them."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence

from tokparity.questions.json_text import as_bytes
from tokparity.questions.shrink import period

_REPEATED = 200
"""Characters from which on a text that is a few in turn is better spelled as such."""

_PRINTABLE_ASCII = re.compile(rb"[\x20-\x7e]*")


def command_line(words: Sequence[str]) -> str:
    """The words of a command as a shell takes them."""
    return " ".join(quote(as_bytes(word)) for word in words)


def quote(text: bytes) -> str:
    """The text as one word of bash, exactly, and without a character that does not print."""
    if _PRINTABLE_ASCII.fullmatch(text):
        return shlex.quote(text.decode("ascii"))
    return "$'" + "".join(map(_escape, text.decode("utf-8", "surrogateescape"))) + "'"


def repeated(text: bytes) -> tuple[str, int, str]:
    """A long text that is a few characters in turn: these, how many times, and what is over; nothing if it is none."""
    whole = text.decode("utf-8", "surrogateescape")
    size = period(whole) if len(whole) >= _REPEATED else 0
    if not size:
        return "", 0, ""
    times, rest = divmod(len(whole), size)
    return whole[:size], times, whole[:rest]


def python_of(text: bytes) -> str:
    """A short Python expression for a long text that repeats a few characters.

    It is empty for any other text, and for a text that is not UTF-8, because JSON has no string for it.
    """
    unit, times, rest = repeated(text)
    if any("\udc80" <= character <= "\udcff" for character in unit):
        return ""
    return f"{unit!a} * {times}" + (f" + {rest!a}" if rest else "") if times else ""


def _escape(character: str) -> str:
    if character in "\\'":
        return "\\" + character
    if character == "\n":
        return "\\n"
    if character.isprintable():
        return character
    return "".join(f"\\x{byte:02x}" for byte in character.encode("utf-8", "surrogateescape"))
