"""Leaves the suffix off the end of a word."""

from __future__ import annotations

from tokparity.quirk import Quirk
from tokparity.quirks import toys

QUIRK = Quirk(
    name="omits_word_suffix",
    title="Leaves the suffix off the end of a word",
    symptom="Every last piece of a word is the one for the inside of words.",
    cause="The end_of_word_suffix (</w> in CLIP) is not put behind the last symbol before merging.",
    fix="Put the suffix behind the last symbol of each word.",
    field="word_suffix",
    value="",
    witness=lambda: toys.bpe("abc", "b+c b+c</w>", more="c</w>", word_suffix="</w>").on("abc"),
)
