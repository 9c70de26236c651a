"""Omits the space prefix where the text begins with a space."""

from __future__ import annotations

from tokparity.quirk import Quirk
from tokparity.quirks import toys

QUIRK = Quirk(
    name="never_doubles_space_prefix",
    title="Omits the space prefix where the text begins with a space",
    symptom="A text with one space in front is the same as one with none.",
    cause="The prefix is only added where the text does not begin with a space (or with ▁).",
    fix="Follow the model: SentencePiece adds it always, Metaspace only where there is none.",
    field="prefix_doubles",
    value=False,
    links=(
        "https://github.com/huggingface/swift-transformers/issues/96",
        "https://github.com/huggingface/tokenizers/pull/1357",
    ),
    witness=lambda: toys.spm("a ▁ ▁a", space_prefix="always").on(" a"),
)
