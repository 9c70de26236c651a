"""Keeps runs of spaces and those at the ends."""

from __future__ import annotations

from tokparity.quirk import Quirk
from tokparity.quirks import toys

QUIRK = Quirk(
    name="keeps_extra_spaces",
    title="Keeps runs of spaces and those at the ends",
    symptom="Runs of spaces become tokens that the model has never seen.",
    cause="remove_extra_whitespaces is not applied.",
    fix="Collapse runs of spaces and drop those at the ends where the model asks for it.",
    field="collapse_spaces",
    value=False,
    witness=lambda: toys.spm("a ▁ ▁a", collapse_spaces=True).on("a  a"),
)
