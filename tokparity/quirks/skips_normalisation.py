"""Leaves the normaliser out."""

from __future__ import annotations

from tokparity.quirk import Quirk
from tokparity.quirks import toys

QUIRK = Quirk(
    name="skips_normalisation",
    title="Leaves the normaliser out",
    symptom=(
        "Full-width, composed, or upper-case text falls apart into rare pieces, bytes or unknowns; plain ASCII agrees."
    ),
    cause="The normaliser (precompiled charsmap, NFKC, lower case) is not applied.",
    fix=(
        "Apply the model's normaliser before anything else (precompiled_charsmap in a GGUF, normalizer in "
        "tokenizer.json)."
    ),
    field="normalise",
    links=("https://github.com/ggml-org/llama.cpp/pull/28845",),
    witness=lambda: toys.spm("a b c", normalise=str.lower).on("AbC"),
)
