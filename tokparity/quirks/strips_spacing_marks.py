"""Strips every combining mark as an accent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tokparity.behaviour import Normalise
from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.quirks.changed_stages import normalises_with
from tokparity.reference.normalise import Bert, StripAccents


@dataclass(frozen=True)
class WithoutMarks:
    """BERT's normaliser, and then no marks at all."""

    inner: Normalise

    def __call__(self, text: str) -> str:
        return StripAccents()(self.inner(text))


def without_marks(stage: Any) -> Any:
    """BERT's normaliser without marks if it strips accents, other stages as they are."""
    if not isinstance(stage, Bert):
        return stage
    strips = stage.lowercase if stage.strip_accents is None else stage.strip_accents
    return WithoutMarks(stage) if strips else stage


QUIRK = Quirk(
    name="strips_spacing_marks",
    title="Strips every combining mark as an accent",
    symptom="Vowel signs of Indic scripts are lost.",
    cause="All marks (\\p{M}) are dropped where only nonspacing ones (\\p{Mn}) should be.",
    fix="Drop category Mn only.",
    field="normalise",
    derive=normalises_with(without_marks),
    links=("https://github.com/ggml-org/llama.cpp/issues/5496",),
    witness=lambda: toys.wordpiece("क का", normalise=Bert()).on("का"),
)
