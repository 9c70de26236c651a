"""Lets possessive quantifiers give back."""

from __future__ import annotations

import re

from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.quirks.changed_stages import patterns_with
from tokparity.reference.splits import Split

_POSSESSIVE = re.compile(r"(?<!\\)([?*+])\+")


def with_giving_back(pattern: str) -> str:
    """The pattern with greedy quantifiers instead of possessive ones."""
    return _POSSESSIVE.sub(r"\1", pattern)


QUIRK = Quirk(
    name="makes_possessive_greedy",
    title="Lets possessive quantifiers give back",
    symptom="A few words are matched that should not be: the pattern finds another way.",
    cause="Possessive quantifiers (++, ?+) were made greedy ones (+, ?) for an engine that does not have them.",
    fix="Use an engine with possessive quantifiers or atomic groups.",
    field="pretokenise",
    derive=patterns_with(with_giving_back),
    links=("https://github.com/ggml-org/llama.cpp/pull/12677",),
    witness=lambda: toys.byte_bpe("a+b", pretokenise=Split(r"\w++b|a|b")).on("ab"),
)
