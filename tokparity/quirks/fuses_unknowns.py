"""Makes a run of unknowns one."""

from __future__ import annotations

from tokparity.quirk import Quirk
from tokparity.quirks import toys

QUIRK = Quirk(
    name="fuses_unknowns",
    title="Makes a run of unknowns one",
    symptom="A word in a script that the model does not know is one unknown token instead of one per character.",
    cause="Adjacent unknown ids are joined.",
    fix="Follow the model: SentencePiece joins them, Hugging Face does where fuse_unk is set.",
    field="fuse_unknown",
    value=True,
    links=("https://github.com/huggingface/tokenizers/pull/574",),
    witness=lambda: toys.spm("a b").on("aéèb"),
)
