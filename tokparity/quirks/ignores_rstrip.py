"""Keeps white space after tokens with rstrip."""

from __future__ import annotations

from tokparity.quirk import Quirk
from tokparity.quirks import toys

QUIRK = Quirk(
    name="ignores_rstrip",
    title="Keeps white space after tokens with rstrip",
    symptom="A newline or space token stands after special tokens where the model has seen none (Phi-3).",
    cause="The attribute rstrip of added tokens is lost in the conversion or not obeyed.",
    fix="Let the token take the white space on its right.",
    field="obeys_rstrip",
    value=False,
    links=(
        "https://github.com/ggml-org/llama.cpp/pull/7375",
        "https://github.com/huggingface/transformers/issues/32136",
    ),
    witness=lambda: toys.spm("a ▁ <m>", added=(toys.special("<m>", 5, rstrip=True),)).on("<m> a", parse_special=True),
)
