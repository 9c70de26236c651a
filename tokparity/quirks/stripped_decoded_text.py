"""Quirks of stripping white space from the ends of decoded text."""

from __future__ import annotations

from tokparity.quirk import Place, Quirk
from tokparity.quirks import toys
from tokparity.quirks.changed_stages import around_decode
from tokparity.quirks.decoded_text import Changed


def _without_spaces_before(text: bytes) -> bytes:
    return text.lstrip(b" ")


QUIRKS = (
    Quirk(
        name="strips_decoded_text",
        title="Strips white space from both ends of decoded text",
        symptom="Answers lose the line end that they finish with; text that is decoded in parts runs together.",
        cause="The caller strips what the tokenizer gives, or the detokenizer does so itself.",
        fix="Return the text as it is; strip only what is shown to a person, when it is complete.",
        field="decode",
        derive=around_decode(Place.AFTER, 20, lambda decode: Changed(decode, bytes.strip)),
        witness=lambda: toys.spm("a b", byte_pieces=True).on("a\n"),
    ),
    Quirk(
        name="strips_spaces_before_decoded_text",
        title="Strips all spaces from the start of decoded text",
        symptom="Decoded text loses its indentation. The space that the space prefix added should go, and no more.",
        cause="lstrip is applied where one space should be removed.",
        fix="Remove one space at most, and only where the model adds a space prefix.",
        field="decode",
        derive=around_decode(Place.AFTER, 22, lambda decode: Changed(decode, _without_spaces_before)),
        witness=lambda: toys.spm("a ▁ ▁a").on("  a"),
    ),
    Quirk(
        name="strips_white_space_before_decoded_text",
        title="Strips all white space from the start of decoded text",
        symptom="Decoded text loses line ends, tabs and spaces at its start. At its end nothing is lost.",
        cause="The text is stripped on the left (lstrip, trimStart) without naming a character.",
        fix="Remove one space at most, and only where the model adds a space prefix.",
        field="decode",
        derive=around_decode(Place.AFTER, 24, lambda decode: Changed(decode, bytes.lstrip)),
        witness=lambda: toys.spm("a b", byte_pieces=True).on("\na"),
    ),
    Quirk(
        name="strips_white_space_after_decoded_text",
        title="Strips white space from the end of decoded text",
        symptom="Decoded text loses the line end or the spaces that it finishes with. At its start nothing is lost.",
        cause="The text is stripped on the right (rstrip, trimEnd).",
        fix="Return the text as it is.",
        field="decode",
        derive=around_decode(Place.AFTER, 26, lambda decode: Changed(decode, bytes.rstrip)),
        witness=lambda: toys.spm("a b", byte_pieces=True).on("a\n"),
    ),
)
