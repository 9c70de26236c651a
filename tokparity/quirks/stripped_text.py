"""Quirks of callers that strip the text: what is white space depends on their language."""

from __future__ import annotations

from functools import partial

from tokparity.quirk import Quirk, Witness
from tokparity.quirks import toys
from tokparity.quirks.changed_text import Stripping, of_bytes, of_text
from tokparity.reference.unicode_ages import WHITESPACE

_STRIPPED = {
    "unicode": (
        "Rust's trim and Go's TrimSpace",
        "".join(WHITESPACE),
        "\x85",
        "https://doc.rust-lang.org/std/primitive.str.html#method.trim",
    ),
    "python": (
        "Python's str.strip",
        "".join(WHITESPACE) + "\x1c\x1d\x1e\x1f",
        "\x1c",
        "https://docs.python.org/3/library/stdtypes.html#str.strip",
    ),
    "javascript": (
        "JavaScript's trim",
        "".join(space for space in WHITESPACE if space != "\x85") + "\ufeff",
        "\ufeff",
        "https://tc39.es/ecma262/#sec-trimstring",
    ),
}
"""What strips a text in a language, what it takes away, one of these that others leave, and where that is told."""


def _before(shown: str) -> Witness:
    """A letter before a character that is taken away."""
    return toys.spm("a b", byte_pieces=True).on(f"a{shown}")


QUIRKS = (
    Quirk(
        name="strips_text",
        title="Strips white space from both ends of the text",
        symptom="Texts that begin or end with white space lose it: newlines at the end of prompts, indentation of the "
        "first line.",
        cause="The caller strips the text, or reads it line by line.",
        fix="Pass the text on as it is.",
        field="decode_text",
        derive=of_bytes(70, bytes.strip),
        witness=lambda: toys.spm("a b", byte_pieces=True).on("a\n"),
    ),
    *(
        Quirk(
            name=f"strips_spaces_of_{language}",
            title=f"Strips the text as {called} does",
            symptom="Texts that begin or end with white space lose it: no-break spaces as well as line ends.",
            cause=f"The caller strips the text with {called}.",
            fix="Pass the text on as it is.",
            field="decode_text",
            derive=of_text(number, Stripping(characters)),
            links=(link,),
            witness=partial(_before, shown),
        )
        for number, (language, (called, characters, shown, link)) in enumerate(_STRIPPED.items(), 71)
    ),
)
