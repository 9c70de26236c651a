"""Takes the bytes of UTF-8 for characters."""

from __future__ import annotations

from dataclasses import dataclass

from tokparity.behaviour import DecodeText
from tokparity.quirk import Quirk
from tokparity.quirks import toys


@dataclass(frozen=True)
class AsLatin1:
    """Reads each byte as the character of Latin-1."""

    inner: DecodeText

    def __call__(self, data: bytes) -> str:
        return self.inner(data.decode("latin-1").encode())


QUIRK = Quirk(
    name="takes_bytes_for_latin_1",
    title="Takes the bytes of UTF-8 for characters",
    symptom="Everything outside of ASCII is mojibake: é becomes Ã©.",
    cause="The bytes were decoded as Latin-1 (or Windows-1252) and encoded again.",
    fix="Decode the input as UTF-8.",
    field="decode_text",
    derive=lambda behaviour: AsLatin1(behaviour.decode_text),
    witness=lambda: toys.spm("a b", byte_pieces=True).on("é"),
)
