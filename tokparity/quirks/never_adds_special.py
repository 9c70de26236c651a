"""Adds neither BOS nor EOS."""

from __future__ import annotations

from tokparity.quirk import Quirk
from tokparity.quirks import toys

QUIRK = Quirk(
    name="never_adds_special",
    title="Adds neither BOS nor EOS",
    symptom="Every text lacks its first id, its last, or both.",
    cause="add_special = true is not obeyed.",
    fix="Add what the model wants around a text when the caller asks.",
    field="adds_special",
    value="never",
    witness=lambda: toys.spm("a b", suffix_ids=(toys.EOS,)).on("ab", add_special=True),
)
