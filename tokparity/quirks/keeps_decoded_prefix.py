"""Leaves the space prefix in decoded text."""

from __future__ import annotations

from tokparity.quirk import Quirk
from tokparity.quirks import toys

QUIRK = Quirk(
    name="keeps_decoded_prefix",
    title="Leaves the space prefix in decoded text",
    symptom="Decoded text begins with a space that the input did not have.",
    cause="The space that was put before the text is not taken away again.",
    fix="Remove one space from the start of the decoded text where the tokenizer added one.",
    field="strip_decoded_prefix",
    value=False,
    links=("https://github.com/huggingface/swift-transformers/pull/345",),
    witness=lambda: toys.spm("a ▁ ▁a", space_prefix="always", strip_decoded_prefix=True).on("a"),
)
