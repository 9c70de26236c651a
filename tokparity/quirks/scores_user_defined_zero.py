"""Scores user-defined pieces 0."""

from __future__ import annotations

from tokparity.quirk import Quirk
from tokparity.quirks import toys

QUIRK = Quirk(
    name="scores_user_defined_zero",
    title="Scores user-defined pieces 0",
    symptom="Where two user-defined pieces overlap, or one competes with a chain of good pieces, another one wins.",
    cause="User-defined pieces count 0 in the lattice; SentencePiece gives them a bonus that grows with their length.",
    fix="Use the bonus of the SentencePiece release that the model is run with.",
    field="user_defined_score",
    value="zero",
    witness=lambda: toys.unigram(toys.OVERLAP, kinds=toys.OVERLAP_KINDS, user_defined_score="length").on("abc"),
)
