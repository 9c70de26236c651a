"""Looks for all added tokens in the raw text."""

from __future__ import annotations

from tokparity.quirk import Quirk
from tokparity.quirks import toys

QUIRK = Quirk(
    name="ignores_normalized",
    title="Looks for all added tokens in the raw text",
    symptom="An added token that is spelled differently (in capitals, say) is not found.",
    cause="The attribute normalized of added tokens is not obeyed.",
    fix="Look for tokens with normalized = true in the normalised text, for the others in the raw text.",
    field="obeys_normalized",
    value=False,
    links=(
        "https://github.com/ggml-org/llama.cpp/pull/10883",
        "https://github.com/huggingface/tokenizers/pull/309",
    ),
    witness=lambda: toys.spm(
        "a b c", added=(toys.special("ab", 5, special=False, normalized=True),), normalise=str.lower
    ).on("AB"),
)
