"""Merges into control pieces as well."""

from __future__ import annotations

from dataclasses import replace

from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.quirks.seen_vocabulary import segments_as
from tokparity.reference.spm import spm
from tokparity.reference.ugm import ugm
from tokparity.vocabulary import Kind, Vocabulary


def control_as_normal(vocabulary: Vocabulary) -> Vocabulary:
    """The vocabulary with control pieces marked as normal."""
    kinds = tuple(Kind.NORMAL if kind is Kind.CONTROL else kind for kind in vocabulary.kinds)
    return replace(vocabulary, kinds=kinds)


QUIRK = Quirk(
    name="merges_into_control_pieces",
    title="Merges into control pieces as well",
    symptom=(
        "A text that spells a special token by chance (</s> in a page of HTML) becomes that token "
        "although specials are not to be parsed."
    ),
    cause="The table from text to id is searched for whatever two symbols spell, without a look at the kind of piece.",
    fix="Leave control, unknown and byte pieces out of merging; only parsing may make the former.",
    field="segment",
    derive=segments_as(control_as_normal, spm, ugm),
    links=("https://github.com/ggml-org/llama.cpp/issues/26309",),
    witness=lambda: toys.spm("s> < s >").on("<s>"),
)
