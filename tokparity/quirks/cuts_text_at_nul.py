"""Ends the text at the first NUL."""

from __future__ import annotations

from dataclasses import dataclass

from tokparity.behaviour import DecodeText
from tokparity.quirk import Quirk
from tokparity.quirks import toys


@dataclass(frozen=True)
class CutAtNul:
    """Reads up to the first NUL."""

    inner: DecodeText

    def __call__(self, data: bytes) -> str:
        return self.inner(data.partition(b"\0")[0])


QUIRK = Quirk(
    name="cuts_text_at_nul",
    title="Ends the text at the first NUL",
    symptom="Texts with U+0000 lose all that follows it.",
    cause="The text is passed as a zero-terminated string.",
    fix="Pass the length along with the text.",
    field="decode_text",
    derive=lambda behaviour: CutAtNul(behaviour.decode_text),
    witness=lambda: toys.spm("a b", byte_pieces=True).on(b"a\0b"),
)
