"""Decomposes the text (NFD)."""

from __future__ import annotations

from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.quirks.before_the_model import Formed

QUIRK = Quirk(
    name="decomposes_text",
    title="Decomposes the text (NFD)",
    symptom="Accented letters and Hangul become a base and marks: more tokens, other pieces.",
    cause="NFD is applied to a model whose normaliser does not have it, by a library or by the caller.",
    fix="Apply the normal form that the model names, and none where it names none.",
    field="normalise",
    derive=lambda behaviour: Formed("NFD", behaviour.normalise),
    witness=lambda: toys.spm("1 2 é e", byte_pieces=True).on("é"),
)
