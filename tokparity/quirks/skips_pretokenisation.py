"""Gives the model the whole text as one word."""

from __future__ import annotations

from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.reference.splits import GPT2, Split

QUIRK = Quirk(
    name="skips_pretokenisation",
    title="Gives the model the whole text as one word",
    symptom="Pieces come out that reach over spaces and line ends; long texts are slow.",
    cause="The pre-tokeniser is left out.",
    fix="Split the text as the model's tokenizer.json (or tokenizer.ggml.pre) says, then merge within words.",
    field="pretokenise",
    links=("https://github.com/ggml-org/llama.cpp/pull/6920",),
    witness=lambda: toys.byte_bpe("a+Ġ", pretokenise=Split(GPT2)).on("a a"),
)
