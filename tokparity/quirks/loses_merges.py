"""Loses the list of merges."""

from __future__ import annotations

from dataclasses import replace

from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.quirks.seen_vocabulary import segments_as
from tokparity.reference.bpe import bpe
from tokparity.vocabulary import Vocabulary

# An empty list would mean that ids order the merges. No merge makes these halves, so the pair never comes up.
NONE = ((b"\0\0", b"\0\0"),)


def without_merges(vocabulary: Vocabulary) -> Vocabulary:
    """The vocabulary with nothing to merge; one that has no list of merges as it is."""
    return replace(vocabulary, merges=NONE) if vocabulary.merges else vocabulary


QUIRK = Quirk(
    name="loses_merges",
    title="Loses the list of merges",
    symptom="Every text becomes single characters or bytes: several times as many tokens as it should.",
    cause=(
        "The merges were not found when the model was converted: newer files write each as a pair, older ones as one "
        "string with a space."
    ),
    fix="Read both spellings of merges in tokenizer.json, and refuse to load a BPE model without any.",
    field="segment",
    derive=segments_as(without_merges, bpe),
    links=(
        "https://github.com/ggml-org/llama.cpp/issues/9309",
        "https://github.com/ggml-org/llama.cpp/pull/9696",
    ),
    witness=lambda: toys.bpe("ab", "a+b").on("ab"),
)
