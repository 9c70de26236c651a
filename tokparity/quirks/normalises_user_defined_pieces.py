"""Normalises user-defined pieces as well."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.quirks.changed_stages import normalises_with
from tokparity.quirks.toys import CHARSMAP
from tokparity.reference.charsmap import Charsmap
from tokparity.vocabulary import Kind


def without_kept(stage: Any) -> Any:
    """A charsmap that keeps no pieces, other stages as they are."""
    return replace(stage, keep=()) if isinstance(stage, Charsmap) else stage


QUIRK = Quirk(
    name="normalises_user_defined_pieces",
    title="Normalises user-defined pieces as well",
    symptom="User-defined pieces with full-width or compatibility characters, or with tabs, are never found.",
    cause="The charsmap is applied to the whole text; SentencePiece leaves user-defined pieces alone.",
    fix="Let user-defined pieces pass the normaliser untouched.",
    field="normalise",
    derive=normalises_with(without_kept),
    witness=lambda: toys.unigram(
        {"a": -1, "ª": -2}, kinds={"ª": Kind.USER_DEFINED}, normalise=replace(CHARSMAP, keep=("ª",))
    ).on("ª"),
)
