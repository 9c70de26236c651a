"""Looks up pieces inside a word without their prefix."""

from __future__ import annotations

from tokparity.quirk import Quirk
from tokparity.quirks import toys

QUIRK = Quirk(
    name="omits_continuing_prefix",
    title="Looks up pieces inside a word without their prefix",
    symptom="Long words of a WordPiece model are cut into pieces that begin words.",
    cause="The continuing_subword_prefix (##) is not put before the rest of a word when it is looked up.",
    fix="Look up the rest of a word with the prefix.",
    field="continuing_prefix",
    value="",
    witness=lambda: toys.wordpiece("play ##ing ing").on("playing"),
)
