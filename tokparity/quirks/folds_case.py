"""Folds the case of the whole text."""

from __future__ import annotations

from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.quirks.before_the_model import Recased

QUIRK = Quirk(
    name="folds_case",
    title="Folds the case of the whole text",
    symptom="Capitals are lost, ß is ss and a final sigma is like any other.",
    cause="Text is made ready for comparison (case folding), not for a model.",
    fix="Pass the text on as it is; a model that wants lower case has a normaliser for it.",
    field="decode_text",
    derive=lambda behaviour: Recased(behaviour.decode_text, "casefold"),
    links=("https://www.unicode.org/Public/UCD/latest/ucd/CaseFolding.txt",),
    witness=lambda: toys.spm("a ß s", byte_pieces=True).on("aß"),
)
