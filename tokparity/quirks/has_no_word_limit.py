"""Cuts words of any length into pieces."""

from __future__ import annotations

from tokparity.quirk import Quirk
from tokparity.quirks import toys

QUIRK = Quirk(
    name="has_no_word_limit",
    title="Cuts words of any length into pieces",
    symptom="Very long words (links, hashes) become many pieces instead of one unknown.",
    cause="max_input_chars_per_word (100 in BERT) is not obeyed.",
    fix="Make a word with more characters than the limit unknown as a whole.",
    field="max_word_chars",
    value=None,
    witness=lambda: toys.wordpiece("a ##a", max_word_chars=3).on("aaaa"),
)
