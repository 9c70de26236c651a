"""Puts the space before the text although it belongs behind."""

from __future__ import annotations

from tokparity.quirk import Quirk
from tokparity.quirks import toys

QUIRK = Quirk(
    name="ignores_space_suffix",
    title="Puts the space before the text although it belongs behind",
    symptom="Every word has its marker on the wrong side.",
    cause="treat_whitespace_as_suffix is not read.",
    fix="Put the added space behind the text where the model asks for it.",
    field="space_as_suffix",
    value=False,
    witness=lambda: toys.spm("a ▁ ▁a a▁", space_prefix="always", space_as_suffix=True).on("a"),
)
