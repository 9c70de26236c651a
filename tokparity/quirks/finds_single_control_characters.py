"""Finds control pieces of a single character in the text."""

from __future__ import annotations

from dataclasses import replace

from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.quirks.seen_vocabulary import segments_as
from tokparity.reference.spm import spm
from tokparity.vocabulary import Kind, Vocabulary

_HIDDEN = (Kind.CONTROL, Kind.UNUSED)


def single_as_normal(vocabulary: Vocabulary) -> Vocabulary:
    """The vocabulary with control and unused pieces of one character marked as normal."""
    kinds = tuple(
        Kind.NORMAL if kind in _HIDDEN and len(piece.decode("utf-8", "replace")) == 1 else kind
        for piece, kind in zip(vocabulary.pieces, vocabulary.kinds, strict=True)
    )
    return replace(vocabulary, kinds=kinds)


QUIRK = Quirk(
    name="finds_single_control_characters",
    title="Finds control pieces of a single character in the text",
    symptom="A character that only a control or unused piece spells gets its id; it should be unknown or bytes.",
    cause=(
        "Merging begins with the characters of the text, each looked up in the whole vocabulary, whatever the kind of "
        "its piece; only what is merged depends on the list of merges."
    ),
    fix="Leave control and unused pieces out of the table from text to id.",
    field="segment",
    derive=segments_as(single_as_normal, spm),
    links=("https://github.com/huggingface/tokenizers/blob/main/tokenizers/src/models/bpe/model.rs",),
    witness=lambda: toys.spm("a b", kinds={"b": Kind.CONTROL}).on("ab"),
)
