"""Turns CR LF into LF."""

from __future__ import annotations

from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.quirks.before_the_model import Replaced

QUIRK = Quirk(
    name="joins_line_ends",
    title="Turns CR LF into LF",
    symptom="Texts with Windows line ends are one token shorter per line.",
    cause="Line ends are made uniform before the text is tokenized.",
    fix="Read the text as bytes.",
    field="decode_text",
    derive=lambda behaviour: Replaced(behaviour.decode_text, b"\r\n", b"\n"),
    witness=lambda: toys.spm("a b", byte_pieces=True).on("a\r\nb"),
)
