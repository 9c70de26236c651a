"""Spells out the letters of contractions for ASCII."""

from __future__ import annotations

import re

from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.quirks.changed_stages import patterns_with
from tokparity.reference.splits import Split

_BLIND = re.compile(r"\(\?i:([^()]*)\)")


def with_pairs_of_letters(pattern: str) -> str:
    """The pattern with both cases of each letter instead of (?i:...)."""
    return _BLIND.sub(lambda found: f"(?:{re.sub('[a-z]', _pair, found.group(1))})", pattern)


def _pair(letter: re.Match[str]) -> str:
    return f"[{letter.group()}{letter.group().upper()}]"


QUIRK = Quirk(
    name="spells_out_contractions",
    title="Spells out the letters of contractions for ASCII",
    symptom="Texts with a long s (ſ, U+017F) behind an apostrophe differ, and no others.",
    cause="Blindness to case, (?i:...), was replaced by pairs of letters such as [sS], which leaves out ſ.",
    fix="Use an engine that knows (?i:...), or add the letters that fold to s.",
    field="pretokenise",
    derive=patterns_with(with_pairs_of_letters),
    links=("https://github.com/ggml-org/llama.cpp/pull/6920",),
    witness=lambda: toys.byte_bpe("¿+a", pretokenise=Split(r"(?i:'s|'t)|'?\p{L}+")).on("'ſa"),
)
