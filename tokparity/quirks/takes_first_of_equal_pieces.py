"""Takes the lower id where a piece is listed twice."""

from __future__ import annotations

from dataclasses import replace

from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.quirks.seen_vocabulary import segments_as
from tokparity.reference.bpe import bpe
from tokparity.reference.spm import spm
from tokparity.reference.ugm import ugm
from tokparity.reference.wpm import wpm
from tokparity.vocabulary import Vocabulary


def first_of_equal_pieces(vocabulary: Vocabulary) -> Vocabulary:
    """The vocabulary in which later copies of a piece are not spelled."""
    first: dict[bytes, int] = {}
    for i, piece in enumerate(vocabulary.pieces):
        first.setdefault(piece, i)
    pieces = tuple(piece if first[piece] == i else b"" for i, piece in enumerate(vocabulary.pieces))
    return replace(vocabulary, pieces=pieces)


QUIRK = Quirk(
    name="takes_first_of_equal_pieces",
    title="Takes the lower id where a piece is listed twice",
    symptom="One piece, or a few, always come out as another id that spells the same.",
    cause=(
        "The vocabulary lists a piece twice; the table from text to id keeps the first where the model expects the "
        "last."
    ),
    fix="Let the later id overwrite the earlier one, as filling a table in order does.",
    field="segment",
    derive=segments_as(first_of_equal_pieces, spm, ugm, bpe, wpm),
    witness=lambda: toys.spm("a b a").on("ab"),
)
