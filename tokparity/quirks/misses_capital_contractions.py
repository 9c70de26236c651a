"""Splits off contractions in small letters only."""

from __future__ import annotations

from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.quirks.changed_stages import patterns_with
from tokparity.reference.splits import Split


def minding_case(pattern: str) -> str:
    """The pattern without (?i...)."""
    return pattern.replace("(?i:", "(?:").replace("(?i)", "")


QUIRK = Quirk(
    name="misses_capital_contractions",
    title="Splits off contractions in small letters only",
    symptom="Words in capitals with an apostrophe (DON'T, IT'S) are cut elsewhere.",
    cause="The pattern lost the flag that makes it blind to case.",
    fix="Keep (?i:...) around the contractions, or spell both cases out.",
    field="pretokenise",
    derive=patterns_with(minding_case),
    links=("https://github.com/ggml-org/llama.cpp/pull/6920",),
    witness=lambda: toys.byte_bpe("S+a", pretokenise=Split(r"(?i:'s)|'?\p{L}+")).on("'Sa"),
)
