"""Writes one unknown token per character."""

from __future__ import annotations

from tokparity.quirk import Quirk
from tokparity.quirks import toys

QUIRK = Quirk(
    name="keeps_unknowns_apart",
    title="Writes one unknown token per character",
    symptom="A word in a script that the model does not know is a row of unknown tokens instead of one.",
    cause="Adjacent unknown ids are not joined.",
    fix="Follow the model: SentencePiece joins them, Hugging Face does where fuse_unk is set.",
    field="fuse_unknown",
    value=False,
    links=("https://github.com/huggingface/tokenizers/pull/574",),
    witness=lambda: toys.spm("a b", fuse_unknown=True).on("aéèb"),
)
