"""Applies compatibility normalisation (NFKC)."""

from __future__ import annotations

from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.quirks.before_the_model import Formed

QUIRK = Quirk(
    name="applies_nfkc",
    title="Applies compatibility normalisation (NFKC)",
    symptom=(
        "Full-width forms, ligatures, superscripts and fractions are replaced by plain characters, and can't be got "
        "back."
    ),
    cause="NFKC is applied to a model whose normaliser does not have it, by a library or by the caller.",
    fix="Apply the normal form that the model names, and none where it names none.",
    field="normalise",
    derive=lambda behaviour: Formed("NFKC", behaviour.normalise),
    witness=lambda: toys.spm("1 2 é e", byte_pieces=True).on("½"),
)
