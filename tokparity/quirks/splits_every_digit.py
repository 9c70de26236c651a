"""Makes every digit a word."""

from __future__ import annotations

import re

from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.quirks.changed_stages import patterns_with
from tokparity.reference.splits import Split

_GROUPS = re.compile(r"(\\p\{Nd?\})(?:\{1,\d\}|\+)")


def single_digits(pattern: str) -> str:
    """The pattern with one digit where it has several."""
    return _GROUPS.sub(r"\1", pattern)


QUIRK = Quirk(
    name="splits_every_digit",
    title="Makes every digit a word",
    symptom="Numbers are one token per digit where the model was trained with groups of three.",
    cause="Digits are matched one by one: \\p{N}{1,3} became \\p{N}.",
    fix="Keep the count in the pattern.",
    field="pretokenise",
    derive=patterns_with(single_digits),
    links=("https://github.com/ggml-org/llama.cpp/pull/7063",),
    witness=lambda: toys.byte_bpe("1+2", pretokenise=Split(r"\p{N}{1,3}")).on("12"),
)
