"""Puts a space before the text because it collapses spaces."""

from __future__ import annotations

from tokparity.behaviour import Behaviour
from tokparity.quirk import Quirk
from tokparity.quirks import toys


def _prefixed(behaviour: Behaviour) -> str:
    return "always" if behaviour.collapse_spaces else behaviour.space_prefix


QUIRK = Quirk(
    name="prefixes_space_when_collapsing",
    title="Puts a space before the text because it collapses spaces",
    symptom="The first word of every text has the marker although the model says add_space_prefix = false.",
    cause="With space merging on, the marker is written before each word, the first one included.",
    fix="Write the marker between words, and before the first only for add_space_prefix.",
    field="space_prefix",
    derive=_prefixed,
    witness=lambda: toys.spm("a ▁ ▁a", collapse_spaces=True).on("a"),
)
