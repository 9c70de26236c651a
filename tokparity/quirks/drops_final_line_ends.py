"""Drops the line ends that the text finishes with."""

from __future__ import annotations

from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.quirks.before_the_model import WithoutFinal

QUIRK = Quirk(
    name="drops_final_line_ends",
    title="Drops the line ends that the text finishes with",
    symptom="A prompt that ends with an empty line loses it, and the model goes on with the line before.",
    cause="The text came from a shell's $(...), or from a file read line by line.",
    fix="Read the text whole and pass it on as it is.",
    field="decode_text",
    derive=lambda behaviour: WithoutFinal(behaviour.decode_text, b"\n"),
    witness=lambda: toys.spm("a ▁", byte_pieces=True).on("a\n"),
)
