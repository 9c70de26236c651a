"""Drops zero width joiners."""

from __future__ import annotations

from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.quirks.before_the_model import Replaced

QUIRK = Quirk(
    name="drops_zero_width_joiners",
    title="Drops zero width joiners",
    symptom="Emoji of families and professions fall apart into their members; Indic half forms are lost.",
    cause="U+200D is taken for an invisible character without meaning and cleaned away.",
    fix="Leave the text as it is; only the model's own normaliser may change it.",
    field="decode_text",
    derive=lambda behaviour: Replaced(behaviour.decode_text, "\u200d".encode(), b""),
    witness=lambda: toys.spm("a b", byte_pieces=True).on("a\u200db"),
)
