"""Merges grapheme clusters instead of characters."""

from __future__ import annotations

import regex

from tokparity.quirk import Quirk
from tokparity.quirks import toys


def grapheme_clusters(word: str) -> list[str]:
    """The word cut into extended grapheme clusters (Unicode Standard Annex 29)."""
    found: list[str] = regex.findall(r"\X", word)
    return found


QUIRK = Quirk(
    name="merges_grapheme_clusters",
    title="Merges grapheme clusters instead of characters",
    symptom="Thai, Indic scripts, decomposed accents, keycaps and CR LF fall back to bytes or unknowns.",
    cause=(
        "The symbols that merging begins with are user-perceived characters (as strings of Swift count them). A piece "
        "that ends inside of one is never made."
    ),
    fix="Begin with Unicode scalar values.",
    field="symbols",
    value=grapheme_clusters,
    links=(
        "https://github.com/huggingface/swift-transformers/pull/355",
        "https://github.com/huggingface/swift-transformers/issues/51",
    ),
    witness=lambda: toys.spm("ส ว ั", byte_pieces=True).on("สวัส"),
)
