"""Drops the line ends that the text finishes with."""

from __future__ import annotations

from dataclasses import dataclass

from tokparity.behaviour import DecodeText
from tokparity.quirk import Quirk
from tokparity.quirks import toys


@dataclass(frozen=True)
class WithoutFinalLineEnds:
    """Reads the text without the line feeds that it ends with."""

    inner: DecodeText

    def __call__(self, data: bytes) -> str:
        return self.inner(data.rstrip(b"\n"))


QUIRK = Quirk(
    name="drops_final_line_ends",
    title="Drops the line ends that the text finishes with",
    symptom="A prompt that ends with an empty line loses it, and the model goes on with the line before.",
    cause="The text came from a shell's $(...), or from a file read line by line.",
    fix="Read the text whole and pass it on as it is.",
    field="decode_text",
    derive=lambda behaviour: WithoutFinalLineEnds(behaviour.decode_text),
    witness=lambda: toys.spm("a ▁", byte_pieces=True).on("a\n"),
)
