"""Cuts pieces of the kinds 2 and 4 out of the raw text."""

from __future__ import annotations

from dataclasses import replace

from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.quirks.seen_vocabulary import matches_as
from tokparity.vocabulary import AddedToken, Kind, Vocabulary


def kinds_2_and_4_as_added(vocabulary: Vocabulary) -> Vocabulary:
    """The vocabulary with only unknown and user-defined pieces of two characters and more as added tokens."""
    added = tuple(
        AddedToken(i, piece.decode("utf-8", "replace"), special=False)
        for i, (piece, kind) in enumerate(zip(vocabulary.pieces, vocabulary.kinds, strict=True))
        if kind in (Kind.UNKNOWN, Kind.USER_DEFINED)
    )
    return replace(vocabulary, added=tuple(token for token in added if len(token.content) > 1))


QUIRK = Quirk(
    name="cuts_out_kinds_2_and_4",
    title="Cuts pieces of the kinds 2 and 4 out of the raw text",
    symptom=(
        "Control tokens in the text are not found although they are to be parsed, and user-defined pieces are cut out "
        "before anything is normalised."
    ),
    cause=(
        "token_type 2 is taken for control (it is unknown; control is 3) and 4 for user defined; both are matched "
        "longest first in the raw text, pieces of one character excepted."
    ),
    fix="Read token_type as llama.cpp writes it: 1 normal, 2 unknown, 3 control, 4 user defined, 5 unused, 6 byte.",
    field="match_added",
    derive=matches_as(kinds_2_and_4_as_added),
    witness=lambda: toys.spm("a ▁ ▁a <i>", kinds={"<i>": Kind.USER_DEFINED}, space_prefix="always").on(
        "a<s>a", parse_special=True
    ),
)
