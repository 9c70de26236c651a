"""Quirks of how a word is cut into pieces: by which algorithm, from which symbols, and which pieces may be used."""

from __future__ import annotations

import regex

from tokparity.behaviour import Segment
from tokparity.quirk import Derived, Place, Quirk, github
from tokparity.quirks import toys
from tokparity.reference.spm import spm
from tokparity.reference.ugm import ugm
from tokparity.vocabulary import Kind


def grapheme_clusters(word: str) -> list[str]:
    """The word cut into extended grapheme clusters (Unicode Standard Annex 29)."""
    found: list[str] = regex.findall(r"\X", word)
    return found


def instead_of(number: int, right: Segment, wrong: Segment) -> Derived:
    """A `derive` for running `wrong` where the model wants `right`."""
    return Derived(Place.PART, number, lambda behaviour: wrong if behaviour.segment is right else behaviour.segment)


QUIRKS = (
    Quirk(
        name="merges_grapheme_clusters",
        title="Merges grapheme clusters instead of characters",
        symptom="Thai, Indic scripts, decomposed accents, keycaps and CR LF become byte pieces or unknown tokens.",
        cause="Merging begins with user-perceived characters, as strings of Swift count them. A piece that ends "
        "inside such a character is never made.",
        fix="Begin with Unicode scalar values.",
        field="symbols",
        value=grapheme_clusters,
        links=github("huggingface/swift-transformers/pull/355", "huggingface/swift-transformers/issues/51"),
        witness=lambda: toys.spm("ส ว ั", byte_pieces=True).on("สวัส"),
    ),
    Quirk(
        name="breaks_ties_to_the_right",
        title="Merges the rightmost of equal pairs first",
        symptom="Runs of one character (!!!!!!, =====) have the short piece at the start. The model's own tokenizer "
        "has it at the end.",
        cause="Of several pairs with the same score or rank, the one further right is merged first.",
        fix="Order candidates by score or rank, then by position from the left.",
        field="tie_break",
        value="right",
        links=github("huggingface/tokenizers/issues/1213"),
        witness=lambda: toys.spm("!! !").on("!!!"),
    ),
    Quirk(
        name="looks_up_whole_words",
        title="Looks words up whole although the model merges",
        symptom="A few rare words become one token. The model was trained with several tokens for each.",
        cause="A word that is a piece becomes that piece, as with ignore_merges. The model does not have "
        "ignore_merges.",
        fix="Look whole words up only where the model has ignore_merges.",
        field="ignore_merges",
        value=True,
        links=github("ggml-org/llama.cpp/pull/7193"),
        witness=lambda: toys.bpe("abc", "b+c", more="abc").on("abc"),
    ),
    Quirk(
        name="skips_whole_word_lookup",
        title="Merges words that should be looked up whole",
        symptom="A few words, often with accents, are three tokens instead of one.",
        cause="The engine does not obey ignore_merges: it builds a word that is a piece by merging, which does not "
        "always lead to the piece.",
        fix="Look the whole pre-token up first where the model has ignore_merges (Llama 3, tiktoken).",
        field="ignore_merges",
        value=False,
        links=github("ggml-org/llama.cpp/pull/7193"),
        witness=lambda: toys.bpe("abc", "b+c", more="abc", ignore_merges=True).on("abc"),
    ),
    Quirk(
        name="skips_unused_steps",
        title="Does not use unused pieces as a step of merging",
        symptom="Longer pieces that are built from an unused piece are not found.",
        cause="Pieces of kind 5 (unused) are left out of merging altogether.",
        fix="Let unused pieces be a step of merging, and take them apart if they are left at the end.",
        field="unused_pieces",
        value="never",
        witness=lambda: toys.spm("ab abc a b c", kinds={"ab": Kind.UNUSED}, unused_pieces="resegment").on("abc"),
    ),
    Quirk(
        name="uses_unused_pieces",
        title="Uses pieces that are marked as unused",
        symptom="Ids appear that the model has never seen in training.",
        cause="Pieces of kind 5 (unused) are matched like normal ones.",
        fix="Keep unused pieces out of the result; SPM may use them as a step of merging and must take them apart "
        "again.",
        field="unused_pieces",
        value="as_normal",
        witness=lambda: toys.spm("ab a b", kinds={"ab": Kind.UNUSED}).on("ab"),
    ),
    Quirk(
        name="omits_continuing_prefix",
        title="Looks up the inside of a word without ##",
        symptom="Long words of a WordPiece model are cut into pieces that begin words.",
        cause="The continuing_subword_prefix (##) is not added to the rest of a word when it is looked up.",
        fix="Look up the rest of a word with the prefix.",
        field="continuing_prefix",
        value="",
        witness=lambda: toys.wordpiece("play ##ing ing").on("playing"),
    ),
    Quirk(
        name="omits_word_suffix",
        title="Adds no suffix to the end of a word",
        symptom="Each word ends with the piece for the inside of words.",
        cause="The engine does not add end_of_word_suffix (</w> in CLIP) to the last symbol before merging.",
        fix="Put the suffix after the last symbol of each word.",
        field="word_suffix",
        value="",
        links=github("CrispStrobe/CrispEmbed/issues/30"),
        witness=lambda: toys.bpe("abc", "b+c b+c</w>", more="c</w>", word_suffix="</w>").on("abc"),
    ),
    Quirk(
        name="has_no_word_limit",
        title="Has no limit for the length of a word",
        symptom="Very long words (links, hashes) become many pieces. The right answer is one unknown token.",
        cause="max_input_chars_per_word (100 in BERT) is not obeyed.",
        fix="Write one unknown token for a word that is longer than the limit.",
        field="max_word_chars",
        value=None,
        witness=lambda: toys.wordpiece("a ##a", max_word_chars=3).on("aaaa"),
    ),
    Quirk(
        name="merges_unigram_by_score",
        title="Merges a unigram vocabulary by score",
        symptom="Common words have the right ids, because they are pieces with good scores. Longer and rarer words "
        "are cut at other places.",
        cause="The engine treats every SentencePiece vocabulary as SPM: it merges the pair whose piece has the best "
        "score. A unigram model takes the path with the best sum.",
        fix="Read trainer_spec.model_type (tokenizer.ggml.model: llama is SPM, t5 is unigram), and run Viterbi for "
        "unigram.",
        field="segment",
        derive=instead_of(10, ugm, spm),
        witness=lambda: toys.unigram({"a": -3, "b": -3, "c": -3, "d": -3, "ab": -2, "bc": -1, "cd": -2}).on("abcd"),
    ),
    Quirk(
        name="runs_viterbi_on_spm",
        title="Runs the unigram Viterbi over an SPM vocabulary",
        symptom="Common words have the right ids. Rare words and runs of punctuation are cut at other places.",
        cause="The engine treats every SentencePiece vocabulary as unigram and searches the path with the best sum. "
        "The scores of an SPM vocabulary are only the order of merges; their sum means nothing.",
        fix="Read trainer_spec.model_type (tokenizer.ggml.model: llama is SPM, t5 is unigram), and merge by score "
        "for SPM.",
        field="segment",
        derive=instead_of(20, spm, ugm),
        witness=lambda: toys.spm("bc ab cd a b c d").on("abcd"),
    ),
)
