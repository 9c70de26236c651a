"""Keeps capitals in a model that lowers the case."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.quirks.changed_stages import normalises_with
from tokparity.reference.normalise import Bert, Lowercase


def without_lower_case(stage: Any) -> Any:
    """The stage with capitals kept; BERT's still strips accents as before."""
    if isinstance(stage, Bert):
        strips = stage.lowercase if stage.strip_accents is None else stage.strip_accents
        return replace(stage, lowercase=False, strip_accents=strips)
    return None if isinstance(stage, Lowercase) else stage


QUIRK = Quirk(
    name="keeps_case",
    title="Keeps capitals in a model that lowers the case",
    symptom="Words with capitals are unknown or fall apart into rare pieces.",
    cause="The lower case of the normaliser is not applied.",
    fix="Lower the case where the model says so.",
    field="normalise",
    derive=normalises_with(without_lower_case),
    links=("https://github.com/ggml-org/llama.cpp/pull/23899",),
    witness=lambda: toys.wordpiece("hi Hi", normalise=Bert()).on("Hi"),
)
