"""Quirks of the scores of a unigram model: how they are read and summed, and which pieces have which."""

from __future__ import annotations

from tokparity.quirk import Quirk, github
from tokparity.quirks import toys

QUIRKS = (
    Quirk(
        name="sums_scores_in_double",
        title="Sums unigram scores in 64 bits",
        symptom="Very few texts differ, all of them long or with two cuts that score nearly the same.",
        cause="The path is summed in double precision where the model's own tokenizer uses single precision, so near "
        "ties fall differently.",
        fix="Sum in the width of the model's tokenizer: SentencePiece has 32 bits, Hugging Face 64.",
        field="score_bits",
        value=64,
        links=github("google/sentencepiece/issues/843"),
        witness=lambda: toys.unigram(toys.NEAR_TIE, score_bits=32).on("abc"),
    ),
    Quirk(
        name="sums_scores_in_single",
        title="Sums unigram scores in 32 bits",
        symptom="Very few texts differ, all of them long or with two cuts that score nearly the same.",
        cause="The path is summed in single precision where the model's own tokenizer uses double precision, so near "
        "ties fall differently.",
        fix="Sum in the width of the model's tokenizer: SentencePiece has 32 bits, Hugging Face 64.",
        field="score_bits",
        value=32,
        links=github("google/sentencepiece/issues/843"),
        witness=lambda: toys.unigram(toys.NEAR_TIE).on("abc"),
    ),
    Quirk(
        name="compares_sums_before_rounding",
        title="Compares unigram sums in 64 bits, but keeps 32",
        symptom="Very few texts differ, mostly repeated characters: they have the same pieces in another order.",
        cause="A sum is compared in double precision and kept in single precision, so an equal one may win by the bits "
        "that were rounded off. SentencePiece before 0.2.2 does so.",
        fix="Round each sum to 32 bits before it is compared, as SentencePiece does from 0.2.2 on.",
        field="compares_unrounded",
        value=True,
        links=github("google/sentencepiece/blob/v0.2.0/src/unigram_model.cc"),
        witness=lambda: toys.unigram(toys.ROUNDED_DOWN, score_bits=32).on("abc"),
    ),
    Quirk(
        name="never_rebases_sums",
        title="Lets sums of unigram scores grow without bound",
        symptom="Texts of a hundred thousand characters and more differ near their end.",
        cause="The sum of scores grows with the text and loses its last bits. Recent SentencePiece subtracts the "
        "sum from time to time.",
        fix="Subtract a position's sum from all sums when it falls below -100000, or cut the text where no piece can "
        "cross.",
        field="rebase_below",
        value=None,
        witness=lambda: toys.unigram(toys.NEAR_TIE, score_bits=32, rebase_below=-1000.0).on("abc"),
    ),
    Quirk(
        name="rounds_scores_twice",
        title="Reads scores from decimal digits with a rounding error",
        symptom="Very few texts differ, mostly repeated characters: they have the same pieces in another order.",
        cause="The parser reads a score of 16 digits or more as a whole number divided by a power of ten, which "
        "rounds twice (serde_json's default). Sums that should be equal differ in the last place.",
        fix="Parse floating-point numbers exactly (serde_json: the feature `float_roundtrip`), or write the scores in "
        "the file with 15 digits or fewer.",
        field="score_parsing",
        value="divided",
        links=github("serde-rs/json/issues/707", "serde-rs/json/issues/1336"),
        witness=lambda: toys.unigram(toys.LONG_SCORES).on("-------"),
    ),
    Quirk(
        name="reads_scores_exactly",
        title="Reads exact scores where the model's library rounds them",
        symptom="Very few texts differ, mostly repeated characters. Where two ways to cut the text have equal sums "
        "of scores, the engine takes the other way.",
        cause="The engine holds the scores of the file to the last bit. The library that defines the ids reads scores "
        "of 16 digits or more one unit in the last place off. That error decides between sums that are equal.",
        fix="Nothing in the model is wrong. For equal ids, write the scores in the file with 15 digits or fewer.",
        field="score_parsing",
        value="exact",
        links=github("serde-rs/json/issues/707"),
        witness=lambda: toys.unigram(toys.LONG_SCORES, score_parsing="divided").on("-------"),
    ),
    Quirk(
        name="scores_user_defined_as_written",
        title="Takes the score of user-defined pieces from the file",
        symptom="User-defined pieces are cut into smaller pieces, or win over better ones. Their score in the file "
        "means nothing.",
        cause="The engine uses the score in the file (mostly 0) for user-defined pieces.",
        fix="Score them as the model's tokenizer does, and ignore the file's score.",
        field="user_defined_score",
        value="own",
        witness=lambda: toys.unigram(toys.OVERLAP, kinds=toys.OVERLAP_KINDS, user_defined_score="length").on("abc"),
    ),
    Quirk(
        name="scores_user_defined_by_best",
        title="Scores user-defined pieces by the best score",
        symptom="Where two user-defined pieces overlap, or one competes with a chain of good pieces, another one wins.",
        cause="A user-defined piece of n bytes counts n times the best score less 0.1, as in SentencePiece before "
        "0.2.3.",
        fix="Use the rule of the tokenizer that the model was trained with.",
        field="user_defined_score",
        value="best",
        witness=lambda: toys.unigram(toys.OVERLAP, kinds=toys.OVERLAP_KINDS, user_defined_score="length").on("abc"),
    ),
    Quirk(
        name="scores_user_defined_by_length",
        title="Gives user-defined pieces a bonus by length",
        symptom="Where two user-defined pieces overlap, or one competes with a chain of good pieces, another one wins.",
        cause="A user-defined piece of n bytes counts 0.1 (n - 1), as in SentencePiece 0.2.3, where the model's "
        "tokenizer has another rule.",
        fix="Use the rule of the tokenizer that the model was trained with.",
        field="user_defined_score",
        value="length",
        witness=lambda: toys.unigram(toys.OVERLAP, kinds=toys.OVERLAP_KINDS).on("abc"),
    ),
    Quirk(
        name="scores_user_defined_zero",
        title="Scores user-defined pieces 0",
        symptom="Where two user-defined pieces overlap, or one competes with a chain of good pieces, another one wins.",
        cause="User-defined pieces count 0 in the lattice; SentencePiece gives them a bonus that grows with their "
        "length.",
        fix="Use the bonus of the SentencePiece release that the model is run with.",
        field="user_defined_score",
        value="zero",
        witness=lambda: toys.unigram(toys.OVERLAP, kinds=toys.OVERLAP_KINDS, user_defined_score="length").on("abc"),
    ),
    Quirk(
        name="omits_unknown_penalty",
        title="Gives unknown characters a score that is 10 too high",
        symptom="A rare character inside a longer piece becomes the unknown token. The characters beside it become "
        "pieces of their own.",
        cause="The score of an unknown character is the lowest score of any piece; it should be 10 less.",
        fix="Subtract the penalty of 10 from the lowest score of the normal pieces.",
        field="unknown_penalty",
        value=0.0,
        witness=lambda: toys.unigram({"ab": -1, "éa": -8, "b": -8}).on("éab"),
    ),
    Quirk(
        name="finds_every_kind_in_text",
        title="Finds control, byte and unknown pieces in ordinary text",
        symptom="A text that spells <s> gets the id of <s>, although special tokens were not to be parsed.",
        cause="The unigram lattice is built from the whole vocabulary, without the kinds of the pieces.",
        fix="Leave all but normal and user-defined pieces out of the lattice.",
        field="matches_every_kind",
        value=True,
        witness=lambda: toys.unigram({"<": -1, "/": -1, "s": -1, ">": -1}).on("</s>"),
    ),
)
