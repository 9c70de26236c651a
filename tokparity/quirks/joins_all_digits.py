"""Makes a run of digits one word."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.quirks.changed_stages import changed
from tokparity.reference.splits import Split, digits

_GROUPS = re.compile(r"(?<![\[\w}\\])(\\p\{Nd?\})(?:\{\d(?:,\d)?\})?(?![\w\\+\]])")


def runs_of_digits(stage: Any) -> Any:
    """The stage with a run of digits where it has up to so many."""
    if stage == digits(individual=True):
        return digits(individual=False)
    if isinstance(stage, Split) and not stage.literal:
        return replace(stage, pattern=_GROUPS.sub(r"\1+", stage.pattern))
    return stage


QUIRK = Quirk(
    name="joins_all_digits",
    title="Makes a run of digits one word",
    symptom="Numbers are one token, or odd groups, where the model was trained with one to three digits each.",
    cause="Digits are matched in runs: \\p{N}{1,3} or \\p{N} became \\p{N}+, or individual_digits is off.",
    fix="Keep the count in the pattern.",
    field="pretokenise",
    derive=lambda behaviour: changed(behaviour.pretokenise, runs_of_digits),
    links=(
        "https://github.com/ggml-org/llama.cpp/issues/3502",
        "https://github.com/kekzl/imp/pull/660",
    ),
    witness=lambda: toys.byte_bpe("1+2", pretokenise=Split(r"\p{N}")).on("12"),
)
