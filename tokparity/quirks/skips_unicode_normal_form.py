"""Leaves NFC, NFD, NFKC or NFKD out of the normaliser."""

from __future__ import annotations

from typing import Any

from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.quirks.changed_stages import normalises_with
from tokparity.reference.normalise import UnicodeForm


def without_form(stage: Any) -> Any:
    """Nothing for a normal form, else the stage itself."""
    return None if isinstance(stage, UnicodeForm) else stage


QUIRK = Quirk(
    name="skips_unicode_normal_form",
    title="Leaves NFC, NFD, NFKC or NFKD out of the normaliser",
    symptom=(
        "Composed and decomposed letters, full-width forms, ligatures and fractions come out as other pieces or bytes."
    ),
    cause="Of the normaliser only the other steps (lower case, replacements) are done.",
    fix="Apply the normal form that the model names, before the pre-tokeniser.",
    field="normalise",
    derive=normalises_with(without_form),
    links=("https://github.com/ggml-org/llama.cpp/pull/28845",),
    witness=lambda: toys.spm("1 2 ⁄", byte_pieces=True, normalise=UnicodeForm("NFKC")).on("½"),
)
