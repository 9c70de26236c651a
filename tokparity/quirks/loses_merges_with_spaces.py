"""Loses the merges whose halves hold a space."""

from __future__ import annotations

from dataclasses import replace

from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.quirks.loses_merges import NONE
from tokparity.quirks.seen_vocabulary import segments_as
from tokparity.reference.bpe import bpe
from tokparity.vocabulary import Vocabulary


def without_merges_of_spaces(vocabulary: Vocabulary) -> Vocabulary:
    """The vocabulary with only those merges whose halves can be told apart in one string."""
    merges = tuple(pair for pair in vocabulary.merges if b" " not in pair[0] + pair[1])
    return replace(vocabulary, merges=merges or NONE) if vocabulary.merges else vocabulary


QUIRK = Quirk(
    name="loses_merges_with_spaces",
    title="Loses the merges whose halves hold a space",
    symptom="Runs of spaces fall apart into single spaces; the rest agrees.",
    cause=(
        "Merges are read as one string and cut at its spaces; a half that holds a space itself makes three parts, and "
        "the line is skipped."
    ),
    fix="Read the pairs as pairs, or cut at the right space.",
    field="segment",
    derive=segments_as(without_merges_of_spaces, bpe),
    links=("https://github.com/ggml-org/llama.cpp/pull/9696",),
    witness=lambda: toys.bpe("a ", "␣+␣ ␣+a").on("  a"),
)
