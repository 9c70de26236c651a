"""Takes the byte 0xAD for a printable one, as all others from 0xA1 on are in GPT-2's byte alphabet."""

from __future__ import annotations

from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.reference.byte_alphabet import ALPHABET, to_alphabet

FIX = "Leave 0xAD out of the bytes that stay as they are: 0x21 to 0x7E, 0xA1 to 0xAC, and 0xAE to 0xFF."
SOURCE = ("https://github.com/openai/gpt-2/blob/master/src/encoder.py",)


def with_itself(text: str) -> str:
    """The text in GPT-2's alphabet, with U+00AD for the byte 0xAD."""
    return to_alphabet(text).replace(ALPHABET[0xAD], "\xad")


QUIRK = Quirk(
    name="maps_soft_hyphen_byte_to_itself",
    title="Takes the byte 0xAD for a printable one",
    symptom="Characters whose UTF-8 has the byte 0xAD (í, 中, 국) lose a byte or become unknown.",
    cause="The byte alphabet takes 0xA1 to 0xFF as they are. GPT-2's alphabet writes 0xAD as U+0143.",
    fix=FIX,
    field="byte_alphabet",
    value=with_itself,
    links=SOURCE,
    witness=lambda: toys.byte_bpe("Ã+Ń").on("í"),
)
