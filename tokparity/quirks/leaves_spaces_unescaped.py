"""Leaves spaces as they are instead of writing the marker."""

from __future__ import annotations

from tokparity.quirk import Quirk
from tokparity.quirks import toys

QUIRK = Quirk(
    name="leaves_spaces_unescaped",
    title="Leaves spaces as they are instead of writing the marker",
    symptom="No piece that begins with ▁ is ever found: spaces become bytes or unknowns.",
    cause="escape_whitespaces is not applied.",
    fix="Replace U+0020 by U+2581 before the pieces are looked up.",
    field="space_marker",
    value=" ",
    witness=lambda: toys.spm("a ▁ ▁a", byte_pieces=True).on("a a"),
)
