"""Makes every digit a word."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.quirks.changed_stages import changed
from tokparity.reference.splits import Split, digits

_GROUPS = re.compile(r"(\\p\{Nd?\})(?:\{\d(?:,\d)?\}|\+)")


def single_digits(stage: Any) -> Any:
    """The stage with one digit where it has several."""
    if stage == digits(individual=False):
        return digits(individual=True)
    if isinstance(stage, Split) and not stage.literal:
        return replace(stage, pattern=_GROUPS.sub(r"\1", stage.pattern))
    return stage


QUIRK = Quirk(
    name="splits_every_digit",
    title="Makes every digit a word",
    symptom="Numbers are one token per digit where the model was trained with groups of digits.",
    cause="Digits are matched one by one: \\p{N}{1,3} or \\p{N}+ became \\p{N}, or individual_digits is on.",
    fix="Keep the count in the pattern.",
    field="pretokenise",
    derive=lambda behaviour: changed(behaviour.pretokenise, single_digits),
    links=("https://github.com/ggml-org/llama.cpp/pull/7063",),
    witness=lambda: toys.byte_bpe("1+2", pretokenise=Split(r"\p{N}{1,3}")).on("12"),
)
