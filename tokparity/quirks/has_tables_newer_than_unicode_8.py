"""Finds punctuation with tables newer than those of Unicode 8."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tokparity.behaviour import Behaviour
from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.quirks.changed_stages import changed
from tokparity.reference.splits import Bert, Chain, Characters, punctuation, whitespace_split
from tokparity.reference.unicode_versions import as_of_15

_PUNCTUATION = r"(?V1)[!-/:-@\[-`\{-\~\p{P}]"


def newer(stage: Any) -> Any:
    """Punctuation of Unicode 15 where the stage has that of Unicode 8."""
    if isinstance(stage, Bert):
        return Chain((whitespace_split(), newer(punctuation())))
    if isinstance(stage, Characters) and stage.members == punctuation().members:
        return replace(stage, members=_PUNCTUATION, seen_as=as_of_15)
    return stage


def _newer(behaviour: Behaviour) -> Any:
    return changed(behaviour.pretokenise, newer)


QUIRK = Quirk(
    name="has_tables_newer_than_unicode_8",
    title="Finds punctuation with tables newer than those of Unicode 8",
    symptom="Punctuation that came after 2015 (U+2E4E, signs of young scripts) stands alone; ⹎ is no part of a word.",
    cause=(
        "The engine's tables are newer than those of the original: Punctuation and BertPreTokenizer of Hugging Face's "
        "tokenizers take theirs from a package that stopped at Unicode 8."
    ),
    fix="None is needed but for equal ids: the model has seen what tables of Unicode 8 make of these characters.",
    field="pretokenise",
    derive=_newer,
    links=("https://crates.io/crates/unicode_categories", "https://github.com/ggml-org/llama.cpp/pull/7530"),
    witness=lambda: toys.byte_bpe("Ġ+â", pretokenise=punctuation("contiguous")).on(" ⹎"),
)
