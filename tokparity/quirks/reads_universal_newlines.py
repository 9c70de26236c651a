"""Turns CR LF and CR into LF."""

from __future__ import annotations

from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.quirks.before_the_model import Replaced

QUIRK = Quirk(
    name="reads_universal_newlines",
    title="Turns CR LF and CR into LF",
    symptom="Carriage returns are lost: Windows line ends are one token shorter, and progress bars become lines.",
    cause="The text was read in text mode with universal newlines.",
    fix="Read the text as bytes.",
    field="decode_text",
    derive=lambda behaviour: Replaced(Replaced(behaviour.decode_text, b"\r", b"\n"), b"\r\n", b"\n"),
    witness=lambda: toys.spm("a b", byte_pieces=True).on("a\rb"),
)
