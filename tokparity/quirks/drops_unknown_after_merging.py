"""Leaves out what no piece covers only after merging."""

from __future__ import annotations

from dataclasses import replace

from tokparity.behaviour import Behaviour
from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.reference.bpe import bpe


def _later(behaviour: Behaviour) -> str:
    drops = behaviour.fallback == "drop" or (behaviour.fallback == "unknown" and behaviour.segment is bpe)
    return "drop_after_merging" if drops else behaviour.fallback


def _without_tab(toy: toys.Toy) -> toys.Toy:
    """The toy without a piece for U+0009."""
    pieces = tuple(b"" if piece == "ĉ".encode() else piece for piece in toy.vocabulary.pieces)
    return replace(toy, vocabulary=replace(toy.vocabulary, pieces=pieces))


QUIRK = Quirk(
    name="drops_unknown_after_merging",
    title="Leaves out what no piece covers only after merging",
    symptom=(
        "Only models that lack some bytes differ (Falcon has no vertical tab, StarCoder no 0xF1): what stands on both "
        "sides of such a byte is not merged."
    ),
    cause=(
        "A byte without a piece stays among the symbols while pairs are merged and is left out at the end. Hugging "
        "Face's tokenizers leaves it out first, so that its neighbours meet."
    ),
    fix="Leave out what has no piece before merging begins.",
    field="fallback",
    derive=_later,
    links=("https://github.com/ggml-org/llama.cpp/blob/master/src/llama-vocab.cpp",),
    witness=lambda: _without_tab(toys.byte_bpe("a+b")).on("a\tb"),
)
