"""Drops white space after every special token."""

from __future__ import annotations

from dataclasses import replace

from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.quirks.seen_vocabulary import matches_as
from tokparity.vocabulary import Vocabulary


def all_rstrip(vocabulary: Vocabulary) -> Vocabulary:
    """The vocabulary with rstrip on every special token."""
    return replace(vocabulary, added=tuple(replace(t, rstrip=True) if t.special else t for t in vocabulary.added))


QUIRK = Quirk(
    name="strips_after_specials",
    title="Drops white space after every special token",
    symptom="Newlines and spaces after special tokens are lost, in chat templates above all.",
    cause="Every special token is treated as if it had rstrip.",
    fix="Read rstrip of each added token from tokenizer.json; a GGUF has no place for it.",
    field="match_added",
    derive=matches_as(all_rstrip),
    links=(
        "https://github.com/ggml-org/llama.cpp/pull/7375",
        "https://github.com/huggingface/transformers/issues/32136",
    ),
    witness=lambda: toys.spm("a ▁ ▁a").on("<s> a", parse_special=True),
)
