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
    title="Maps bytes that do not print to U+0100 and their own number",
    symptom="ASCII agrees. Accents, other scripts, typographic quotes and emoji, whose UTF-8 holds bytes from 0x7F to "
    "0xA0 or 0xAD, are never found as pieces.",
    cause="The byte b becomes U+0100 + b. In GPT-2's alphabet the bytes that do not print are numbered one after the "
    "other, and so 0x7F is U+0121; only those up to 0x20 come out the same. And 0xAD, which is hidden as well, stands "
    "for itself.",
    fix="Count the hidden bytes as GPT-2's bytes_to_unicode does: 0 to 0x20, 0x7F to 0xA0, 0xAD.",
    field="byte_alphabet",
    value=by_offset,
    links=("https://github.com/openai/gpt-2/blob/master/src/encoder.py",),
    witness=lambda: toys.byte_bpe("Ã+Ģ").on("À"),
)
