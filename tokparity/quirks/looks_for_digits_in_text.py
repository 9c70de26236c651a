"""Looks for digits in the text instead of in the byte alphabet."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.reference.splits import GPT2, Chain, OnAlphabet, Split, digits


def _in_text(stage: Any) -> Any:
    if isinstance(stage, OnAlphabet):
        return Chain(stage.stages)
    if isinstance(stage, Chain):
        return replace(stage, stages=tuple(map(_in_text, stage.stages)))
    return stage


QUIRK = Quirk(
    name="looks_for_digits_in_text",
    title="Looks for digits in the text instead of in the byte alphabet",
    symptom=(
        "Texts with ² ³ ¹ ¼ ½ ¾, or characters whose bytes are spelled like these, are cut elsewhere; plain digits "
        "agree."
    ),
    cause=(
        "The digits are split off before the words are spelled in the byte alphabet; in the model's tokenizer.json "
        "this comes after ByteLevel."
    ),
    fix="Run the stages in the order of the model's tokenizer.json (Falcon).",
    field="pretokenise",
    derive=lambda behaviour: _in_text(behaviour.pretokenise),
    links=("https://github.com/ggml-org/llama.cpp/issues/3502",),
    witness=lambda: toys.byte_bpe("Ã+¼", pretokenise=Chain((Split(GPT2), OnAlphabet((digits(False),))))).on(
        "\N{LATIN SMALL LETTER U WITH DIAERESIS}"
    ),
)
