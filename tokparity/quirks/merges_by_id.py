"""Merges the pair that spells the piece with the lowest id."""

from __future__ import annotations

from dataclasses import replace

from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.quirks.seen_vocabulary import segments_as
from tokparity.reference.bpe import bpe
from tokparity.vocabulary import Vocabulary


def without_list_of_merges(vocabulary: Vocabulary) -> Vocabulary:
    """The vocabulary as if its ids were the order of the merges."""
    return replace(vocabulary, merges=())


QUIRK = Quirk(
    name="merges_by_id",
    title="Merges the pair that spells the piece with the lowest id",
    symptom="Most words agree, because merges and ids were made in one order; words of edited vocabularies do not.",
    cause=(
        "The list of merges is not used: any two neighbours that spell a piece are merged, lowest id first, as "
        "tiktoken does it."
    ),
    fix="Merge by the place of the pair in the list of merges. (Only tiktoken files have no such list.)",
    field="segment",
    derive=segments_as(without_list_of_merges, bpe),
    witness=lambda: toys.bpe("abc", "b+c a+b", more="ab").on("abc"),
)
