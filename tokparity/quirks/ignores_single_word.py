"""Finds added tokens inside of words."""

from __future__ import annotations

from tokparity.quirk import Quirk
from tokparity.quirks import toys

QUIRK = Quirk(
    name="ignores_single_word",
    title="Finds added tokens inside of words",
    symptom="An added word is found within longer words and cuts them up.",
    cause="The attribute single_word of added tokens is not obeyed.",
    fix="Match the token only where no word character stands beside it.",
    field="obeys_single_word",
    value=False,
    witness=lambda: toys.spm("a b ab ba", added=(toys.special("ba", 6, single_word=True),)).on(
        "aba", parse_special=True
    ),
)
