"""Decomposes the text by compatibility (NFKD)."""

from __future__ import annotations

from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.quirks.before_the_model import Formed

QUIRK = Quirk(
    name="decomposes_compatibly",
    title="Decomposes the text by compatibility (NFKD)",
    symptom=(
        "Accents become characters of their own; full-width forms, ligatures and superscripts become plain characters."
    ),
    cause="NFKD is applied to a model whose normaliser does not have it, by a library or by the caller.",
    fix="Apply the normal form that the model names, and none where it names none.",
    field="normalise",
    derive=lambda behaviour: Formed("NFKD", behaviour.normalise),
    witness=lambda: toys.spm("1 2 é e", byte_pieces=True).on("é½"),
)
