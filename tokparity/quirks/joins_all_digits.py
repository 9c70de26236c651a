"""Makes a run of digits one word."""

from __future__ import annotations

import re

from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.quirks.changed_stages import patterns_with
from tokparity.reference.splits import Split

_GROUPS = re.compile(r"(?<![\[\w}\\])(\\p\{Nd?\})(?:\{1,\d\})?(?![\w\\+\]])")


def runs_of_digits(pattern: str) -> str:
    """The pattern with a run of digits where it has up to so many."""
    return _GROUPS.sub(r"\1+", pattern)


QUIRK = Quirk(
    name="joins_all_digits",
    title="Makes a run of digits one word",
    symptom="Numbers are one token, or odd groups, where the model was trained with one to three digits each.",
    cause="Digits are matched in runs: \\p{N}{1,3} or \\p{N} became \\p{N}+.",
    fix="Keep the count in the pattern.",
    field="pretokenise",
    derive=patterns_with(runs_of_digits),
    links=(
        "https://github.com/ggml-org/llama.cpp/issues/3502",
        "https://github.com/kekzl/imp/pull/660",
    ),
    witness=lambda: toys.byte_bpe("1+2", pretokenise=Split(r"\p{N}")).on("12"),
)
