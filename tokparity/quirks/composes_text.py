"""Composes the text (NFC)."""

from __future__ import annotations

from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.quirks.before_the_model import Formed

QUIRK = Quirk(
    name="composes_text",
    title="Composes the text (NFC)",
    symptom=(
        "Decomposed accents, Hangul and Indic letters come out as other pieces than those the model was trained with."
    ),
    cause="NFC is applied to a model whose normaliser does not have it, by a library or by the caller.",
    fix="Apply the normal form that the model names, and none where it names none.",
    field="normalise",
    derive=lambda behaviour: Formed("NFC", behaviour.normalise),
    witness=lambda: toys.spm("1 2 é e", byte_pieces=True).on("e\N{COMBINING ACUTE ACCENT}"),
)
