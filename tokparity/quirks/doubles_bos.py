"""Puts what goes before a text (BOS) there twice."""

from __future__ import annotations

from tokparity.behaviour import Behaviour
from tokparity.quirk import Quirk
from tokparity.quirks import toys


def _twice(behaviour: Behaviour) -> tuple[int, ...]:
    return behaviour.prefix_ids * 2


QUIRK = Quirk(
    name="doubles_bos",
    title="Puts what goes before a text (BOS) there twice",
    symptom="Two BOS tokens at the start of every prompt; answers are slightly worse.",
    cause="Both the chat template (or the caller) and the tokenizer add it.",
    fix="Add BOS in one place only.",
    field="prefix_ids",
    derive=_twice,
    links=(
        "https://github.com/abetlen/llama-cpp-python/issues/1561",
        "https://github.com/ggml-org/llama.cpp/pull/7107",
    ),
    witness=lambda: toys.spm("a b").on("ab", add_special=True),
)
