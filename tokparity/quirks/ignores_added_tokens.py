"""Takes added tokens that are not special for plain text."""

from __future__ import annotations

from dataclasses import replace

from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.quirks.seen_vocabulary import matches_as
from tokparity.vocabulary import Vocabulary


def only_special(vocabulary: Vocabulary) -> Vocabulary:
    """The vocabulary without added tokens that are not special."""
    return replace(vocabulary, added=tuple(token for token in vocabulary.added if token.special))


QUIRK = Quirk(
    name="ignores_added_tokens",
    title="Takes added tokens that are not special for plain text",
    symptom="Markers such as [toxicity=0], HTML tags or runs of spaces are cut into common pieces.",
    cause=(
        "Only special tokens are matched in the text; added_tokens with special = false (user defined in a GGUF) are "
        "not."
    ),
    fix="Match every added token in the text, the special ones when they are to be parsed, the others always.",
    field="match_added",
    derive=matches_as(only_special),
    links=(
        "https://github.com/ggml-org/llama.cpp/issues/8349",
        "https://github.com/ggml-org/llama.cpp/pull/8228",
    ),
    witness=lambda: toys.spm("ab a b ba", added=(toys.special("ba", 6, special=False),)).on("aba"),
)
