"""Turns CR LF into LF."""

from __future__ import annotations

from dataclasses import dataclass

from tokparity.behaviour import DecodeText
from tokparity.quirk import Quirk
from tokparity.quirks import toys


@dataclass(frozen=True)
class LineFeedsOnly:
    """Reads CR LF and CR as LF."""

    inner: DecodeText

    def __call__(self, data: bytes) -> str:
        return self.inner(data.replace(b"\r\n", b"\n").replace(b"\r", b"\n"))


QUIRK = Quirk(
    name="joins_line_ends",
    title="Turns CR LF into LF",
    symptom="Texts with Windows line ends are one token shorter per line.",
    cause="The text was read in text mode with universal newlines.",
    fix="Read the text as bytes.",
    field="decode_text",
    derive=lambda behaviour: LineFeedsOnly(behaviour.decode_text),
    witness=lambda: toys.spm("a b", byte_pieces=True).on("a\r\nb"),
)
