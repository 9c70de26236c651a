"""Takes a space from the start of decoded text."""

from __future__ import annotations

from tokparity.quirk import Quirk
from tokparity.quirks import toys

QUIRK = Quirk(
    name="strips_decoded_space",
    title="Takes a space from the start of decoded text",
    symptom="Text that is decoded in parts loses the spaces between the parts.",
    cause="The first space is removed although the tokenizer added none, or although the text does not start there.",
    fix="Remove the first space only where the tokenizer added one.",
    field="strip_decoded_prefix",
    value=True,
    links=("https://github.com/huggingface/transformers/issues/22710",),
    witness=lambda: toys.spm("a ▁ ▁a").on(" a"),
)
