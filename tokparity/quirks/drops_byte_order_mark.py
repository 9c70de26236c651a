"""Drops a byte order mark."""

from __future__ import annotations

from dataclasses import dataclass

from tokparity.behaviour import DecodeText
from tokparity.quirk import Quirk
from tokparity.quirks import toys


@dataclass(frozen=True)
class WithoutMark:
    """Reads the text without U+FEFF at its start."""

    inner: DecodeText

    def __call__(self, data: bytes) -> str:
        return self.inner(data.removeprefix(b"\xef\xbb\xbf"))


QUIRK = Quirk(
    name="drops_byte_order_mark",
    title="Drops a byte order mark",
    symptom="Texts that begin with U+FEFF lose it.",
    cause="The text is decoded as utf-8-sig, or the mark is skipped.",
    fix="Decode as plain UTF-8; the mark is a character like any other.",
    field="decode_text",
    derive=lambda behaviour: WithoutMark(behaviour.decode_text),
    witness=lambda: toys.spm("a b", byte_pieces=True).on("\N{ZERO WIDTH NO-BREAK SPACE}a"),
)
