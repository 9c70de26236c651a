"""Keeps a marker that is spelled at the end of the text."""

from __future__ import annotations

from tokparity.quirk import Quirk
from tokparity.quirks import toys

QUIRK = Quirk(
    name="trims_spaces_only",
    title="Keeps a marker that is spelled at the end of the text",
    symptom="Only texts that end with ▁ itself (U+2581) differ: they have tokens for it, where SentencePiece has none.",
    cause=(
        "Spaces at the end are dropped before they become ▁. SentencePiece drops them afterwards, and then cannot tell "
        "a spelled ▁ from a space."
    ),
    fix="None for users: the original's way is an accident. To be the same, drop ▁ at the end after escaping.",
    field="trims_spelled_marker",
    value=False,
    links=("https://github.com/google/sentencepiece/issues/863",),
    witness=lambda: toys.unigram({"▁": -1, "a": -1}, collapse_spaces=True).on("a▁"),
)
