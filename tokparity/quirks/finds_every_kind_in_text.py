"""Finds control, byte and unknown pieces in the text, like any other piece."""

from __future__ import annotations

from tokparity.quirk import Quirk
from tokparity.quirks import toys

QUIRK = Quirk(
    name="finds_every_kind_in_text",
    title="Finds control, byte and unknown pieces in the text, like any other piece",
    symptom="A text that spells <s> gets the id of <s>, although special tokens were not to be parsed.",
    cause="The unigram lattice is built from the whole vocabulary; the kinds of the pieces are not known to it.",
    fix="Leave all but normal and user-defined pieces out of the lattice.",
    field="matches_every_kind",
    value=True,
    witness=lambda: toys.unigram({"<": -1, "/": -1, "s": -1, ">": -1}).on("</s>"),
)
