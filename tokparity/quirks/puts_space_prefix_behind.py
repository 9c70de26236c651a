"""Puts the space prefix behind the text."""

from __future__ import annotations

from tokparity.quirk import Quirk
from tokparity.quirks import toys

QUIRK = Quirk(
    name="puts_space_prefix_behind",
    title="Puts the space prefix behind the text",
    symptom="The first word lacks its marker, and a marker stands at the end.",
    cause="treat_whitespace_as_suffix is assumed for a model that does not have it.",
    fix="Put the added space before the text.",
    field="space_as_suffix",
    value=True,
    witness=lambda: toys.spm("a ▁ ▁a a▁", space_prefix="always").on("a"),
)
