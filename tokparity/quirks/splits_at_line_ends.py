"""Splits the text at line ends before merging."""

from __future__ import annotations

from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.reference.splits import Split

QUIRK = Quirk(
    name="splits_at_line_ends",
    title="Splits the text at line ends before merging",
    symptom="Pieces with a newline among other characters are never found.",
    cause="The text is cut into lines and runs of newlines first, which the model's own tokenizer does not do.",
    fix="Split as the model's tokenizer.json says.",
    field="pretokenise",
    value=Split(r"[^\n]+|\n+"),
    witness=lambda: toys.byte_bpe("a+Ċ").on("a\n"),
)
