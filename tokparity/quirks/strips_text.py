"""Strips white space from both ends of the text."""

from __future__ import annotations

from dataclasses import dataclass

from tokparity.behaviour import DecodeText
from tokparity.quirk import Quirk
from tokparity.quirks import toys


@dataclass(frozen=True)
class Stripped:
    """Reads the text without white space at its ends."""

    inner: DecodeText

    def __call__(self, data: bytes) -> str:
        return self.inner(data.strip())


QUIRK = Quirk(
    name="strips_text",
    title="Strips white space from both ends of the text",
    symptom=(
        "Texts that begin or end with white space lose it: newlines at the end of prompts, indentation of the first "
        "line."
    ),
    cause="The caller strips the text, or reads it line by line.",
    fix="Pass the text on as it is.",
    field="decode_text",
    derive=lambda behaviour: Stripped(behaviour.decode_text),
    witness=lambda: toys.spm("a b", byte_pieces=True).on("a\n"),
)
