"""Quirks of holding the scores of pieces in 16 bits."""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import replace

from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.quirks.seen_vocabulary import segments_as
from tokparity.reference.spm import spm
from tokparity.reference.ugm import ugm
from tokparity.vocabulary import Vocabulary

_HALF, _SINGLE, _BITS = struct.Struct("<e"), struct.Struct("<f"), struct.Struct("<I")
_LARGEST_HALF = 65504.0
_NEAR = {"a": -1, "b": -9, "c": -1, "ab": -3.0002, "bc": -3.0004}
"""Pieces of which "ab" + "c" is the better path; with 11 digits or fewer the two tie, and the later cut stays."""


def half(value: float) -> float:
    """The nearest float16; beyond the largest one, that."""
    return float(_HALF.unpack(_HALF.pack(max(-_LARGEST_HALF, min(value, _LARGEST_HALF))))[0])


def bfloat(value: float) -> float:
    """The nearest bfloat16: a float32 of which only the upper half is kept, ties to even."""
    bits = _BITS.unpack(_SINGLE.pack(value))[0]
    rounded = bits + 0x7FFF + (bits >> 16 & 1) & 0xFFFF0000
    return float(_SINGLE.unpack(_BITS.pack(rounded))[0])


def cut_bfloat(value: float) -> float:
    """The bfloat16 towards zero: a float32 of which the lower half is cut off."""
    bits = _BITS.unpack(_SINGLE.pack(value))[0]
    return float(_SINGLE.unpack(_BITS.pack(bits & 0xFFFF0000))[0])


def _rounded(vocabulary: Vocabulary, rounding: Callable[[float], float]) -> Vocabulary:
    return replace(vocabulary, scores=tuple(map(rounding, vocabulary.scores)))


def with_half_scores(vocabulary: Vocabulary) -> Vocabulary:
    """The vocabulary with its scores in float16."""
    return _rounded(vocabulary, half)


def with_bfloat_scores(vocabulary: Vocabulary) -> Vocabulary:
    """The vocabulary with its scores in bfloat16."""
    return _rounded(vocabulary, bfloat)


def with_cut_scores(vocabulary: Vocabulary) -> Vocabulary:
    """The vocabulary with its scores cut to bfloat16."""
    return _rounded(vocabulary, cut_bfloat)


QUIRKS = (
    Quirk(
        name="rounds_scores_to_float16",
        title="Rounds scores to float16",
        symptom="Few texts differ: those where two ways to cut have nearly the same score, or where two pieces with "
        "close ranks overlap.",
        cause="The scores went through a format of 16 bits with 11 bits of precision. Whole numbers above 2,048 are "
        "rounded, so that different scores become equal.",
        fix="Keep scores in 32 bits; a conversion of the model's weights to float16 must leave them alone.",
        field="segment",
        derive=segments_as(110, with_half_scores, spm, ugm),
        witness=lambda: toys.unigram(_NEAR).on("abc"),
    ),
    Quirk(
        name="rounds_scores_to_bfloat16",
        title="Rounds scores to bfloat16",
        symptom="Some texts differ: those where two ways to cut have nearly the same score, or where two pieces with "
        "close ranks overlap.",
        cause="The scores went through a format of 16 bits with 8 bits of precision. Whole numbers above 256 are "
        "rounded, so that different scores become equal.",
        fix="Keep scores in 32 bits; a conversion of the model's weights to bfloat16 must leave them alone.",
        field="segment",
        derive=segments_as(120, with_bfloat_scores, spm, ugm),
        witness=lambda: toys.unigram(_NEAR).on("abc"),
    ),
    Quirk(
        name="cuts_scores_to_bfloat16",
        title="Cuts scores to bfloat16",
        symptom="Some texts differ: those where two ways to cut have nearly the same score, or where two pieces with "
        "close ranks overlap.",
        cause="The scores became bfloat16 by taking the upper half of each float32 (bits >> 16), which rounds towards "
        "zero. Whole numbers above 256 lose their last digits.",
        fix="Keep scores in 32 bits. Where a tensor must be bfloat16, round to the nearest value, ties to even.",
        field="segment",
        derive=segments_as(125, with_cut_scores, spm, ugm),
        witness=lambda: toys.unigram({"a": -1, "b": -3.008, "c": -1, "ab": -4.0, "bc": -4.015}).on("abc"),
    ),
)
