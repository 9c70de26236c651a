"""Writes byte pieces before the unknown token that should precede them."""

from __future__ import annotations

from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.vocabulary import Kind

QUIRK = Quirk(
    name="writes_bytes_before_unknown",
    title="Writes byte pieces before the unknown token that should precede them",
    symptom="Where some byte pieces are missing, unknown tokens stand behind bytes that come later in the text.",
    cause=(
        "An unknown token is held back so that the next one can be joined to it, and byte pieces do not end the wait: "
        "only a known piece, the next unknown or the end of the word does."
    ),
    fix="Write the unknown token that is held back before any byte piece.",
    field="unknown_waits",
    value=True,
    links=("https://github.com/huggingface/tokenizers/blob/main/tokenizers/src/models/bpe/model.rs",),
    witness=lambda: toys.spm("a <0x62>", {"<0x62>": Kind.BYTE}, fallback="bytes", fuse_unknown=True).on("aZba"),
)
