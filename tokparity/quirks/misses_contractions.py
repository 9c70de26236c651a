"""Does not split off contractions."""

from __future__ import annotations

import re

from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.quirks.changed_stages import patterns_with
from tokparity.reference.splits import GPT2, Split

# An alternative goes with the bar behind it; what only may end a word ("?") goes without.
_CONTRACTIONS = re.compile(
    r"""'s\|'t\|'re\|'ve\|'m\|'ll\|'d\|"""
    r"""|'?\((?:\?i)?\??:?'?(?:\[[a-zA-Z]+\]|s|'s)[^()]*\)(?:\?|\|)?"""
)


def without_contractions(pattern: str) -> str:
    """The pattern without its alternatives for contractions."""
    return _CONTRACTIONS.sub("", pattern)


QUIRK = Quirk(
    name="misses_contractions",
    title="Does not split off contractions",
    symptom="English words with an apostrophe are cut elsewhere: don't is don and 't with a joined t, or one word.",
    cause="The part of the pattern that matches 's, 't, 're and the like was left out.",
    fix="Keep the pattern as the model has it, contractions first.",
    field="pretokenise",
    derive=patterns_with(without_contractions),
    links=("https://github.com/kekzl/imp/pull/660",),
    witness=lambda: toys.byte_bpe("s+a", pretokenise=Split(GPT2)).on("x'sa"),
)
