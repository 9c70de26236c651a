"""Looks words up as plain characters instead of in the byte alphabet."""

from __future__ import annotations

from tokparity.quirk import Quirk
from tokparity.quirks import toys

QUIRK = Quirk(
    name="skips_byte_alphabet",
    title="Looks words up as plain characters instead of in the byte alphabet",
    symptom="ASCII letters agree; everything with a space or outside of ASCII is lost.",
    cause="The bytes are not mapped to GPT-2's alphabet (the space is Ġ there), so no such piece is found.",
    fix="Map each byte of the UTF-8 to its printable character before merging.",
    field="byte_level",
    value=False,
    witness=lambda: toys.byte_bpe("Ġ+a").on("a a"),
)
