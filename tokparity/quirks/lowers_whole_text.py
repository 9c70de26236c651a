"""Lowers the case of the whole text, special tokens and all."""

from __future__ import annotations

from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.quirks.before_the_model import Recased

QUIRK = Quirk(
    name="lowers_whole_text",
    title="Lowers the case of the whole text, special tokens and all",
    symptom="Capitals are lost; <|IM_END|> ends a turn; a Greek word may end with another sigma.",
    cause="The caller lowers the text with its language's own function before the tokenizer sees it.",
    fix="Pass the text on as it is; a model that wants lower case has a normaliser for it.",
    field="decode_text",
    derive=lambda behaviour: Recased(behaviour.decode_text, "lower"),
    witness=lambda: toys.spm("a A ς σ Σ", byte_pieces=True).on("AΣ"),
)
