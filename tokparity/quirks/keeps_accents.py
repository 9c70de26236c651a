"""Keeps accents in a model that strips them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.quirks.changed_stages import normalises_with
from tokparity.reference.normalise import Bert, StripAccents


def without_stripping(stage: Any) -> Any:
    """The stage with accents kept."""
    if isinstance(stage, Bert):
        return replace(stage, strip_accents=False)
    return None if isinstance(stage, StripAccents) else stage


QUIRK = Quirk(
    name="keeps_accents",
    title="Keeps accents in a model that strips them",
    symptom="Words with accents are unknown; unrelated accented words become the same.",
    cause="strip_accents is lost in the conversion or not obeyed.",
    fix="Decompose (NFD) and drop nonspacing marks where the model says so.",
    field="normalise",
    derive=normalises_with(without_stripping),
    links=(
        "https://github.com/ollama/ollama/issues/15609",
        "https://github.com/ggml-org/llama.cpp/pull/24371",
    ),
    witness=lambda: toys.wordpiece("cafe café", normalise=Bert()).on("café"),
)
