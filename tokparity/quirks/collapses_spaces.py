"""Makes runs of spaces one and drops those at the ends."""

from __future__ import annotations

from tokparity.quirk import Quirk
from tokparity.quirks import toys

QUIRK = Quirk(
    name="collapses_spaces",
    title="Makes runs of spaces one and drops those at the ends",
    symptom="Indentation is lost: code and tables come out flat.",
    cause="remove_extra_whitespaces is applied to a model that does not have it.",
    fix="Collapse spaces only where the model asks for it.",
    field="collapse_spaces",
    value=True,
    witness=lambda: toys.spm("a ▁ ▁a").on("a  a"),
)
