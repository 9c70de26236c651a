"""Strips accents in a model that keeps them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.quirks.changed_stages import normalises_with
from tokparity.reference.normalise import Bert


def with_stripping(stage: Any) -> Any:
    """BERT's normaliser with accents stripped, others as they are."""
    return replace(stage, strip_accents=True) if isinstance(stage, Bert) else stage


QUIRK = Quirk(
    name="strips_accents",
    title="Strips accents in a model that keeps them",
    symptom="Words with accents become those without: schön and schon are the same.",
    cause="Accents are stripped for every model of a family, the cased ones included.",
    fix="Read strip_accents; where it is absent, it is as lowercase.",
    field="normalise",
    derive=normalises_with(with_stripping),
    links=("https://github.com/ggml-org/llama.cpp/pull/24371",),
    witness=lambda: toys.wordpiece("cafe café", normalise=Bert(strip_accents=False)).on("café"),
)
