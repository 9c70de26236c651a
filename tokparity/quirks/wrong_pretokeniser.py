"""The quirks "uses the pre-tokenizer of another model", one for each kind in the table of pre-tokenizers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial

from tokparity.behaviour import Pretokenise
from tokparity.quirk import Quirk, Witness
from tokparity.quirks import toys
from tokparity.reference import pretokenisers

_TEXTS = (
    "don't 12345 !!",
    "DON'T",
    "a  b\n\n\nc",
    "Größe/\n½ x²",
    "नमस्ते ที่",
    "中文abcカナ",
    "aBc #tag ...,x",
    "1 234 567. \u3000…\r\n",
)
"""Among them is one on which any two kinds differ."""


def wrong_pretokenisers() -> Iterator[Quirk]:
    """One quirk for each way of splitting in the table, called by the best known of its names."""
    names: dict[Pretokenise, list[str]] = {}
    for record in pretokenisers.RECORDS:
        names.setdefault(record.stage, []).extend(record.names)
    for stage, same in names.items():
        yield _quirk(stage, "gpt-2" if "gpt-2" in same else same[0], same)


def _quirk(stage: Pretokenise, name: str, same: Sequence[str]) -> Quirk:
    others = ", ".join(other for other in same if other != name)
    return Quirk(
        name=f"uses_pre_{re.sub('[^a-z0-9]+', '_', name.lower())}",
        title=f"Uses the pre-tokenizer named {name} instead of the model's own",
        symptom="Numbers, contractions, punctuation, white space or whole scripts are cut at other places than by "
        "the model's own pre-tokenizer.",
        cause=f"The text is split by the pre-tokenizer that llama.cpp names {name!r} (tokenizer.ggml.pre)"
        + (f" (the same as {others})" if others else "")
        + "; the model was trained with another one.",
        fix="Set tokenizer.ggml.pre to the model's own kind, or take pre_tokenizer from its tokenizer.json.",
        field="pretokenise",
        value=stage,
        links=(
            "https://github.com/ggml-org/llama.cpp/pull/6920",
            "https://github.com/ggml-org/llama.cpp/issues/7476",
        ),
        witness=partial(_witness, stage),
    )


def _witness(wrong: Pretokenise) -> Witness:
    """A model that has every word of both ways of splitting as a piece, so that the ids show the words."""
    gpt2, llama3 = (pretokenisers.by_name(name).stage for name in ("gpt-2", "llama3"))
    right = gpt2 if wrong != gpt2 else llama3
    text = next((text for text in _TEXTS if right(text, True) != wrong(text, True)), _TEXTS[0])
    words = [*right(text, True), *wrong(text, True)]
    return toys.byte_bpe("", words=words, ignore_merges=True, pretokenise=right).on(text)


QUIRKS = tuple(wrong_pretokenisers())
