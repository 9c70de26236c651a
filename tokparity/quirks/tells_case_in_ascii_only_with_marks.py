"""Takes letters outside of ASCII, and marks, for capitals and small letters at once."""

from __future__ import annotations

from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.quirks.changed_stages import patterns_with
from tokparity.quirks.tells_case_in_ascii_only import LOWER, UPPER
from tokparity.reference.splits import Split


def with_look_aheads(pattern: str) -> str:
    """The pattern as llama.cpp approximates it (`granite-embed-multi-97m`)."""
    return pattern.replace(UPPER, r"(?:(?=[\p{L}\p{M}])[^a-z])").replace(LOWER, r"(?:(?=[\p{L}\p{M}])[^A-Z])")


QUIRK = Quirk(
    name="tells_case_in_ascii_only_with_marks",
    title="Takes letters outside of ASCII, and marks, for capitals and small letters at once",
    symptom=(
        "Words with capitals inside, in Cyrillic, Greek or accented Latin, are not cut before the capital; words with "
        "combining marks stay whole."
    ),
    cause=(
        "The classes of capital and small letters are written as look-aheads over [\\p{L}\\p{M}] without a-z or A-Z, "
        "for an engine that has no such classes."
    ),
    fix="Use an engine that knows \\p{Lu} and its kin, and keep the pattern.",
    field="pretokenise",
    derive=patterns_with(with_look_aheads),
    links=(
        "https://github.com/ggml-org/llama.cpp/pull/22716",
        "https://github.com/ggml-org/llama.cpp/pull/28054",
    ),
    witness=lambda: toys.byte_bpe("¶+Ð", pretokenise=Split(UPPER + "+" + LOWER + "*|" + LOWER + "+")).on("жЖ"),
)
