"""Maps bytes that do not print to U+0100 and their own number."""

from __future__ import annotations

from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.reference.text import encode_text

_HIDDEN = {*range(0x21), *range(0x7F, 0xA1)}
_LETTERS = tuple(chr(0x100 + byte if byte in _HIDDEN else byte) for byte in range(256))


def by_offset(text: str) -> str:
    """The text in letters that are like GPT-2's for the bytes up to 0x20 and for those that print, 0xAD excepted."""
    return "".join(_LETTERS[byte] for byte in encode_text(text))


QUIRK = Quirk(
    name="maps_hidden_bytes_by_offset",
    title="Maps unprintable bytes to U+0100 plus their number",
    symptom="ASCII text has the right ids. Accents, other scripts, typographic quotes and emoji are not found as "
    "pieces: their UTF-8 has bytes from 0x7F to 0xA0, or 0xAD.",
    cause="The byte b becomes U+0100 + b. GPT-2's alphabet numbers the unprintable bytes one after the other, so "
    "0x7F is U+0121. Only bytes up to 0x20 agree.",
    fix="Count the hidden bytes as GPT-2's bytes_to_unicode does: 0 to 0x20, 0x7F to 0xA0, 0xAD.",
    field="byte_alphabet",
    value=by_offset,
    links=("https://github.com/openai/gpt-2/blob/master/src/encoder.py",),
    witness=lambda: toys.byte_bpe("Ã+Ģ").on("À"),
)
