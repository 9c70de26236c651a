"""Matches added tokens only when special tokens are parsed."""

from __future__ import annotations

from dataclasses import replace

from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.quirks.seen_vocabulary import matches_as
from tokparity.vocabulary import Vocabulary


def all_special(vocabulary: Vocabulary) -> Vocabulary:
    """The vocabulary with every added token marked as special."""
    return replace(vocabulary, added=tuple(replace(token, special=True) for token in vocabulary.added))


QUIRK = Quirk(
    name="hides_added_tokens",
    title="Matches added tokens only when special tokens are parsed",
    symptom="Markers and runs of spaces are found in chat prompts, and cut into common pieces in plain text.",
    cause="All added tokens are taken for special ones.",
    fix="Match added tokens with special = false (user defined in a GGUF) whether or not special tokens are parsed.",
    field="match_added",
    derive=matches_as(all_special),
    links=("https://github.com/ggml-org/llama.cpp/pull/8228",),
    witness=lambda: toys.spm("ab a b ba", added=(toys.special("ba", 6, special=False),)).on("aba"),
)
