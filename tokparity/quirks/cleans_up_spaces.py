"""Removes spaces before punctuation when decoding."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tokparity.behaviour import Behaviour, Decode
from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.reference.decode_stages import CLEAN_UP, clean_up
from tokparity.vocabulary import Vocabulary

SPACES = tuple(rule for rule in CLEAN_UP if "n't" not in rule[1])
"""The rules but for those about negations, which llama.cpp does not have."""


@dataclass(frozen=True)
class CleanedUp:
    """Decodes as before, then cleans up the whole text; "do not" and "is n't" stay."""

    inner: Decode

    def __call__(self, vocabulary: Vocabulary, behaviour: Behaviour, ids: Sequence[int]) -> bytes:
        text = self.inner(vocabulary, behaviour, ids).decode("utf-8", "surrogateescape")
        return clean_up(text, SPACES).encode("utf-8", "surrogateescape")


QUIRK = Quirk(
    name="cleans_up_spaces",
    title="Removes spaces before punctuation when decoding",
    symptom="Decoded text loses spaces: x != y becomes x!= y, and quotes stick to words.",
    cause="clean_up_tokenization_spaces is on, a default from the time of BERT.",
    fix="Switch it off for everything but WordPiece models that were made for it.",
    field="decode",
    derive=lambda behaviour: CleanedUp(behaviour.decode),
    links=(
        "https://github.com/huggingface/transformers/issues/31187",
        "https://github.com/huggingface/transformers/issues/35175",
        "https://github.com/huggingface/transformers/issues/32575",
        "https://github.com/ggml-org/llama.cpp/pull/28472",
    ),
    witness=lambda: toys.spm("a ▁ ▁! !").on("a !"),
)
