"""Leaves out what no piece covers."""

from __future__ import annotations

from tokparity.quirk import Quirk
from tokparity.quirks import toys

QUIRK = Quirk(
    name="drops_unknown_text",
    title="Leaves out what no piece covers",
    symptom="Characters vanish: a text has fewer tokens than it should, and decoding does not give it back.",
    cause="A character (or byte) without a piece adds no id at all.",
    fix="Write byte pieces, or the unknown id, as the model says.",
    field="fallback",
    value="drop",
    witness=lambda: toys.spm("a b").on("aéb"),
)
