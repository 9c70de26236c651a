"""Decomposes the text by compatibility (NFKD)."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

from tokparity.behaviour import Normalise
from tokparity.quirk import Quirk
from tokparity.quirks import toys


@dataclass(frozen=True)
class Formed:
    """Puts the text in NFKD, then normalises as before."""

    inner: Normalise | None

    def __call__(self, text: str) -> str:
        text = unicodedata.normalize("NFKD", text)
        return self.inner(text) if self.inner else text


QUIRK = Quirk(
    name="decomposes_compatibly",
    title="Decomposes the text by compatibility (NFKD)",
    symptom=(
        "Accents become characters of their own; full-width forms, ligatures and superscripts become plain characters."
    ),
    cause="NFKD is applied to a model whose normaliser does not have it, by a library or by the caller.",
    fix="Apply the normal form that the model names, and none where it names none.",
    field="normalise",
    derive=lambda behaviour: Formed(behaviour.normalise),
    witness=lambda: toys.spm("1 2 é e", byte_pieces=True).on("é½"),
)
