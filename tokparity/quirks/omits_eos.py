"""Leaves out what the model puts behind a text (EOS, SEP)."""

from __future__ import annotations

from tokparity.quirk import Quirk
from tokparity.quirks import toys

QUIRK = Quirk(
    name="omits_eos",
    title="Leaves out what the model puts behind a text (EOS, SEP)",
    symptom="Every text lacks its last id; embeddings and encoder models are off.",
    cause="add_eos_token (or add_sep_token) is not read, or the default for the kind of tokenizer is wrong.",
    fix="Put the end-of-sequence id behind the text where the model asks for it.",
    field="suffix_ids",
    value=(),
    witness=lambda: toys.spm("a b", suffix_ids=(toys.EOS,)).on("ab", add_special=True),
)
