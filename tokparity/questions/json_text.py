"""Texts as JSON: a string where the bytes are UTF-8, {"base64": ...} where they are not.

One spelling everywhere: reports, CSV cells, and the lines that `encode -` and `decode -` read and write.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
from math import isfinite
from typing import Any
from unicodedata import combining, is_normalized

from tokparity.errors import FormatError

JsonText = str | dict[str, str]

_NOT_ASCII = re.compile(r"[\x20-\x7e]?[^\x20-\x7e]+")
"""With the character before it, on which a mark may stand."""
_UNSEEN = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]")
"""Marks and letters of no width of their own: variation selectors, fillers."""
_NO_BASE = '" '
"""On these, and on an escape, a mark would not be seen as what it is."""
_LONGEST_BASE = 8
"""Characters before one that are looked at, whether they compose with it."""


def to_json(text: bytes) -> JsonText:
    """The bytes as a JSON value, exactly."""
    try:
        return text.decode("utf-8")
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(text).decode("ascii")}


def from_json(value: object) -> bytes:
    """The bytes that a JSON value represents; a lone surrogate in a string becomes its three (invalid) bytes."""
    if isinstance(value, str):
        return value.encode("utf-8", "surrogatepass")
    if isinstance(value, dict) and set(value) == {"base64"} and isinstance(value["base64"], str):
        try:
            return base64.b64decode(value["base64"], validate=True)
        except binascii.Error as error:
            raise FormatError(f"{value['base64']!r:.80} is not base64", "write the bytes as standard base64") from error
    raise FormatError(f"{value!r:.80} is not a text", 'write a JSON string or {"base64": "..."}')


def as_bytes(text: str | bytes) -> bytes:
    """A text as bytes: surrogates that represent broken bytes become these again, any other its three bytes."""
    if isinstance(text, bytes):
        return text
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        broken = "\udc80", "\udcff"
        ways = ("surrogateescape" if broken[0] <= one <= broken[1] else "surrogatepass" for one in text)
        return b"".join(one.encode("utf-8", way) for one, way in zip(text, ways, strict=True))


def is_utf8(text: bytes) -> bool:
    """Whether bytes are text."""
    try:
        text.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def strict(line: str | bytes, hint: str = "write one JSON value on a line") -> Any:
    """The value that JSON from elsewhere spells; FormatError where it is none, or one object has a key twice."""
    shown = f"{line[:60]!r}"

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            names = [name for name, _ in pairs]
            twice = next(name for name in names if names.count(name) > 1)
            raise FormatError(f"{shown} has the key {twice!r:.60} twice in one object", "write each key once")
        return found

    try:
        return json.loads(line, object_pairs_hook=unique, parse_constant=_refuse, parse_float=_finite)
    except (ValueError, RecursionError) as error:
        raise FormatError(f"{shown} is not JSON", hint) from error


def _refuse(word: str) -> None:
    """NaN and infinities, which Python reads, are not JSON."""
    raise ValueError(word)


def _finite(word: str) -> float:
    """A number that Python would read as infinity cannot be written as JSON again."""
    found = float(word)
    if not isfinite(found):
        raise ValueError(word)
    return found


def parse(line: str) -> bytes:
    """The bytes that one line of JSON spells."""
    return from_json(strict(line, 'write a JSON string or {"base64": "..."}'))


def literal(value: Any) -> str:
    """A JSON literal on one line: readable letters stay, everything that does not print becomes a \\uXXXX escape.

    `bytes` anywhere in the value become texts. So control, bidi and zero-width characters can never act where the
    literal is shown, and still come back exactly. What looks like another text is an escape as well: a compatibility
    ideograph, the ohm sign, an accent behind its letter. So is what nobody sees: a variation selector.
    """
    spelled = json.dumps(value, ensure_ascii=False, default=to_json)
    # Outside strings JSON is ASCII, so whatever is found here can be written as an escape.
    return spelled if spelled.isascii() and "\x7f" not in spelled else _NOT_ASCII.sub(_escape, spelled)


def _escape(match: re.Match[str]) -> str:
    found = match.group()
    if _is_plain(found) and not combining(found[1 if found[0] in _NO_BASE else 0]):
        return found
    spelled, before = "", '"'
    for character in found:
        may_stand = _is_plain(before + character) and not (combining(character) and before[-1] in _NO_BASE)
        spelled += character if may_stand else _escaped(character)
        before = (before + character)[-_LONGEST_BASE:] if may_stand else '"'
    return spelled


def _is_plain(text: str) -> bool:
    return text.isprintable() and is_normalized("NFC", text) and _UNSEEN.search(text) is None


def _escaped(character: str) -> str:
    units = character.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[i]:02x}{units[i + 1]:02x}" for i in range(0, len(units), 2))


_ACTING = re.compile("[\0-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""What a terminal, a browser or an editor obeys: controls but for the line end, bidi controls, halves of characters."""


def inert(document: str) -> str:
    """A whole document, or a string of anybody's in one, in which what would act is an escape; its lines stay."""
    return _ACTING.sub(lambda found: _escaped(found.group()), document)


def plain(text: str) -> str:
    """A sentence in which what does not print is an escape, and all else is as it was."""
    return literal(text)[1:-1].replace('\\"', '"').replace("\\\\", "\\")
