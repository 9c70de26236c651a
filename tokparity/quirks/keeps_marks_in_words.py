"""Combining marks stay with the letters before them, where the model's pattern ends words at them."""

from __future__ import annotations

import re

from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.quirks.changed_stages import patterns_with
from tokparity.reference.splits import Split

_LETTERS = re.compile(r"\\p\{L\}\+")


def with_marks(pattern: str) -> str:
    """The pattern with combining marks behind a letter in the letters of its words."""
    return _LETTERS.sub(r"\\p{L}[\\p{L}\\p{M}]*", pattern)


QUIRK = Quirk(
    name="keeps_marks_in_words",
    title="Treats combining marks as letters, so words do not end",
    symptom="Words in Devanagari, Thai, Hebrew and other scripts with marks are one word, not cut at the mark.",
    cause=r"The pattern comes from a later model, which has \p{M} beside \p{L}, or it has \w in place of \p{L}.",
    fix="Use the pattern that the model was trained with, which cuts at marks.",
    field="pretokenise",
    derive=patterns_with(59, with_marks),
    witness=lambda: toys.byte_bpe("¨+à", pretokenise=Split(r"\p{L}+|.")).on("नी"),
)
