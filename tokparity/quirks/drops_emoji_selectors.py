"""Drops the selector of emoji presentation."""

from __future__ import annotations

from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.quirks.before_the_model import Replaced

QUIRK = Quirk(
    name="drops_emoji_selectors",
    title="Drops the selector of emoji presentation",
    symptom="Hearts, keycaps and other symbols in colour get the ids of their plain forms.",
    cause="U+FE0F is taken for an invisible character without meaning and cleaned away.",
    fix="Leave the text as it is; only the model's own normaliser may change it.",
    field="decode_text",
    derive=lambda behaviour: Replaced(behaviour.decode_text, "\ufe0f".encode(), b""),
    witness=lambda: toys.spm("a b", byte_pieces=True).on("a\ufe0fb"),
)
