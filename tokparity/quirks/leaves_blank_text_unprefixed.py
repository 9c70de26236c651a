"""Omits the space prefix where the text is nothing but spaces."""

from __future__ import annotations

from tokparity.quirk import Quirk
from tokparity.quirks import toys

QUIRK = Quirk(
    name="leaves_blank_text_unprefixed",
    title="Omits the space prefix where the text is nothing but spaces",
    symptom="A text of spaces has one ▁ less; with a letter behind the spaces it is right.",
    cause="The prefix is written when the first character that is no space comes by, and none comes.",
    fix="Write the prefix before anything else, as SentencePiece does.",
    field="prefixes_blank",
    value=False,
    links=("https://github.com/ggml-org/llama.cpp/blob/master/src/llama-vocab.cpp",),
    witness=lambda: toys.spm("a ▁ ▁a", space_prefix="always").on(" "),
)
