"""Replaces characters beyond U+FFFF."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tokparity.behaviour import DecodeText
from tokparity.quirk import Quirk
from tokparity.quirks import toys

_BEYOND = re.compile("[\U00010000-\U0010ffff]")


@dataclass(frozen=True)
class WithinBmp:
    """Reads the text with U+FFFD for every character that 16 bits cannot hold."""

    inner: DecodeText

    def __call__(self, data: bytes) -> str:
        return _BEYOND.sub("\ufffd", self.inner(data))


QUIRK = Quirk(
    name="replaces_beyond_bmp",
    title="Replaces characters beyond U+FFFF",
    symptom="Emoji and rare ideographs become U+FFFD; all else is right.",
    cause="The text went through something of 16 bits: UCS-2, or a database with utf8mb3.",
    fix="Keep the text in UTF-8 (utf8mb4) all the way.",
    field="decode_text",
    derive=lambda behaviour: WithinBmp(behaviour.decode_text),
    witness=lambda: toys.spm("a ▁", byte_pieces=True).on("a😀"),
)
