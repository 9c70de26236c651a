"""Drops white space before every special token."""

from __future__ import annotations

from dataclasses import replace

from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.quirks.seen_vocabulary import matches_as
from tokparity.vocabulary import Vocabulary


def all_lstrip(vocabulary: Vocabulary) -> Vocabulary:
    """The vocabulary with lstrip on every special token."""
    return replace(vocabulary, added=tuple(replace(t, lstrip=True) if t.special else t for t in vocabulary.added))


QUIRK = Quirk(
    name="strips_before_specials",
    title="Drops white space before every special token",
    symptom="Newlines and spaces before special tokens are lost.",
    cause="Every special token is treated as if it had lstrip.",
    fix="Read lstrip of each added token from tokenizer.json; a GGUF has no place for it.",
    field="match_added",
    derive=matches_as(all_lstrip),
    links=("https://github.com/ggml-org/llama.cpp/pull/7375",),
    witness=lambda: toys.spm("a ▁ ▁a").on("a <s>", parse_special=True),
)
