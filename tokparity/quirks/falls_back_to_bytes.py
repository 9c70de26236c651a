"""Writes byte pieces where the model has the unknown token."""

from __future__ import annotations

from tokparity.quirk import Quirk
from tokparity.quirks import toys

QUIRK = Quirk(
    name="falls_back_to_bytes",
    title="Writes byte pieces where the model has the unknown token",
    symptom="Rare characters become several byte tokens where one unknown token is expected.",
    cause="Byte pieces are used because the vocabulary holds them, although byte_fallback is off.",
    fix="Write byte pieces only where the model says byte_fallback.",
    field="fallback",
    value="bytes",
    witness=lambda: toys.spm("a b", byte_pieces=True, fallback="unknown").on("aéb"),
)
