"""Lets unknown characters pass at no extra price."""

from __future__ import annotations

from tokparity.quirk import Quirk
from tokparity.quirks import toys

QUIRK = Quirk(
    name="charges_nothing_for_unknowns",
    title="Lets unknown characters pass at no extra price",
    symptom=(
        "Where a rare character is part of a longer piece, the character is unknown and its neighbours are pieces of "
        "their own."
    ),
    cause="The score of an unknown character is the lowest score of any piece; it should be 10 less.",
    fix="Subtract the penalty of 10 from the lowest score of the normal pieces.",
    field="unknown_penalty",
    value=0.0,
    witness=lambda: toys.unigram({"ab": -1, "éa": -8, "b": -8}).on("éab"),
)
