"""Decodes overlong forms and encoded surrogates as if they were characters."""

from __future__ import annotations

import re

from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.reference.text import REPLACEMENT, replace_each_byte

_SEQUENCE = re.compile(
    rb"[\x00-\x7f]|[\xc0-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf7][\x80-\xbf]{3}|(.)", re.DOTALL
)
_LARGEST = 0x10FFFF


def decode_leniently(data: bytes) -> str:
    """Any lead byte with its continuation bytes is a character, whatever it comes to; other bytes are U+FFFD each.

    What comes to a surrogate is kept as its bytes, as an engine does that spells code points again without a check.
    Source: llama.cpp, `unicode_cpt_from_utf8`, which checks no more than this.
    """
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return "".join(_character(found) for found in _SEQUENCE.finditer(data))


def _character(found: re.Match[bytes]) -> str:
    sequence = found.group()
    if found.group(1):
        return REPLACEMENT
    code = sequence[0] & (0x7F >> (len(sequence) if len(sequence) > 1 else 0))
    for byte in sequence[1:]:
        code = code << 6 | byte & 0x3F
    if 0xD800 <= code <= 0xDFFF:
        return "".join(chr(0xDC00 + byte) for byte in sequence)
    return chr(code) if code <= _LARGEST else REPLACEMENT * len(sequence)


QUIRK = Quirk(
    name="decodes_overlong_utf8",
    title="Decodes overlong forms and encoded surrogates as if they were characters",
    symptom='Only texts that are no UTF-8 differ: b"\\xc0\\xaf" becomes "/", which a filter in front did not see.',
    cause="The bits of a sequence are put together without a look at whether it is the shortest form of its character.",
    fix="Refuse overlong forms, surrogates and what is above U+10FFFF: each of their bytes is U+FFFD.",
    links=("https://www.unicode.org/versions/Unicode16.0.0/core-spec/chapter-3/",),
    field="decode_text",
    value=decode_leniently,
    witness=lambda: toys.bpe("a /", "a+/", decode_text=replace_each_byte).on(b"a\xc0\xaf"),
)
