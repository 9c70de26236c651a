"""Dies on bytes that would spell a number above U+10FFFF."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tokparity.behaviour import DecodeText
from tokparity.errors import AbortedError
from tokparity.quirk import Quirk
from tokparity.quirks import toys

_BEYOND = re.compile(rb"\xf4[\x90-\xbf][\x80-\xbf]{2}|[\xf5-\xf7][\x80-\xbf]{3}")


@dataclass(frozen=True)
class AbortsBeyondUnicode:
    """Decodes as before what it survives."""

    inner: DecodeText

    def __call__(self, data: bytes) -> str:
        found = _BEYOND.search(data)
        if found:
            raise AbortedError(f"{found.group()!r} spells a number above U+10FFFF", "this quirk stands for a crash")
        return self.inner(data)


QUIRK = Quirk(
    name="aborts_beyond_unicode",
    title="Dies on bytes that would spell a number above U+10FFFF",
    symptom="The whole process ends on a text that is no UTF-8, whoever sent it.",
    cause=(
        "Four bytes are decoded by their bits to a number that is no code point, and what is to take it throws an "
        "exception that nobody catches."
    ),
    fix="Replace bytes that are no UTF-8 by U+FFFD before anything else looks at the text.",
    field="decode_text",
    derive=lambda behaviour: AbortsBeyondUnicode(behaviour.decode_text),
    witness=lambda: toys.byte_bpe("").on(b"\xf4\x90\x80\x80"),
)
