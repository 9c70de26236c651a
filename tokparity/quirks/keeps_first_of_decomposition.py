"""Keeps only the first code point of each decomposition."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import Any

from tokparity.behaviour import Normalise
from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.quirks.changed_stages import normalises_with
from tokparity.reference.normalise import Bert


@dataclass(frozen=True)
class FirstOnly:
    """BERT's normaliser, on a text in which each character is the first one of its decomposition."""

    inner: Normalise

    def __call__(self, text: str) -> str:
        return self.inner("".join(unicodedata.normalize("NFD", character)[0] for character in text))


def first_only(stage: Any) -> Any:
    """BERT's normaliser with lossy decomposition if it strips accents, other stages as they are."""
    if not isinstance(stage, Bert):
        return stage
    strips = stage.lowercase if stage.strip_accents is None else stage.strip_accents
    return FirstOnly(stage) if strips else stage


QUIRK = Quirk(
    name="keeps_first_of_decomposition",
    title="Keeps only the first code point of each decomposition",
    symptom="Hangul syllables lose their vowels: 각 becomes ᄀ.",
    cause=(
        "The table for NFD has one code point per character: the base; what follows is lost. For Latin letters that "
        "comes to stripping accents."
    ),
    fix="Decompose in full, then drop nonspacing marks only.",
    field="normalise",
    derive=normalises_with(first_only),
    links=(
        "https://github.com/ggml-org/llama.cpp/issues/5496",
        "https://github.com/ggml-org/llama.cpp/pull/7122",
    ),
    witness=lambda: toys.wordpiece("ᄀ ##ᅡ ##ᆨ", normalise=Bert()).on("각"),
)
