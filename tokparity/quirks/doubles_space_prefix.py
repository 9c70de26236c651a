"""Adds the space prefix although the text begins with a space."""

from __future__ import annotations

from tokparity.quirk import Quirk
from tokparity.quirks import toys

QUIRK = Quirk(
    name="doubles_space_prefix",
    title="Adds the space prefix although the text begins with a space",
    symptom="A text that begins with a space gets two.",
    cause="The prefix is put before every text without a look at it.",
    fix="Follow the model: SentencePiece adds it always, Metaspace only where there is none.",
    field="prefix_doubles",
    value=True,
    links=("https://github.com/huggingface/tokenizers/pull/1357",),
    witness=lambda: toys.spm("a ▁ ▁a", space_prefix="always", prefix_doubles=False).on(" a"),
)
