"""Strips every combining mark as an accent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import regex

from tokparity.behaviour import Normalise
from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.quirks.changed_stages import normalises_with
from tokparity.reference.normalise import Bert
from tokparity.reference.unicode_versions import as_of_15

_MARKS = regex.compile(r"\p{M}")


@dataclass(frozen=True)
class WithoutMarks:
    """BERT's normaliser, and then no marks at all, as Unicode 15 knows them."""

    inner: Normalise

    def __call__(self, text: str) -> str:
        text = self.inner(text)
        return "".join(kept for kept, seen in zip(text, as_of_15(text), strict=True) if not _MARKS.match(seen))


def without_marks(stage: Any) -> Any:
    """BERT's normaliser without marks if it strips accents, other stages as they are."""
    if not isinstance(stage, Bert):
        return stage
    strips = stage.lowercase if stage.strip_accents is None else stage.strip_accents
    return WithoutMarks(stage) if strips else stage


QUIRK = Quirk(
    name="strips_spacing_marks",
    title="Strips every combining mark as an accent",
    symptom="Vowel signs of Indic scripts are lost, and marks that came after 2015.",
    cause=(
        "All marks (\\p{M}, by tables of Unicode 15) are dropped, where only nonspacing ones (\\p{Mn}, by those of "
        "Unicode 8) should be."
    ),
    fix="Drop category Mn only.",
    field="normalise",
    derive=normalises_with(without_marks),
    links=("https://github.com/ggml-org/llama.cpp/issues/5496", "https://github.com/ggml-org/llama.cpp/pull/5740"),
    witness=lambda: toys.wordpiece("क का", normalise=Bert()).on("का"),
)
