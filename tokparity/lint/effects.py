"""What a difference in a field of `Behaviour` is likely to do, for someone who reads about it for the first time."""

from __future__ import annotations

from collections.abc import Mapping

DECODING = {
    "decode": "decoder",
    "strip_decoded_prefix": "removal of the space prefix when decoding",
    "clean_up": "clean-up of spaces when decoding",
}

EFFECTS: Mapping[str, str] = {
    "segment": "nearly every text is cut differently",
    "normalise": "texts that the normalizer changes (full-width, accents, case, compatibility forms) get other ids",
    "collapse_spaces": "runs of spaces, and spaces at the ends, come out differently",
    "space_prefix": "the first word of a text, or the word after a special token, has the marker or lacks it",
    "prefix_doubles": "texts that begin with a space come out differently",
    "space_as_suffix": "the marker stands at the other end of a text",
    "space_marker": "every space comes out differently",
    "escape_order": "words are split elsewhere around spaces",
    "pretokenise": "numbers, contractions, punctuation and runs of spaces are split elsewhere",
    "byte_level": "everything but ASCII letters comes out differently",
    "symbols": "merging begins with other symbols",
    "ignore_merges": "words that are pieces, but that no merges lead to, come out differently",
    "tie_break": "runs of the same character come out differently",
    "merge": "pairs are merged in another order",
    "fallback": "characters without a piece become bytes, unknowns or nothing",
    "fuse_unknown": "unknown characters in a row become one id or several",
    "unknown_penalty": "unknown characters beside rare pieces are cut differently",
    "unused_pieces": "texts that contain unused pieces come out differently",
    "continuing_prefix": "all but the first piece of a word are looked up under another spelling",
    "word_prefix": "the first piece of a word is looked up under another spelling",
    "word_suffix": "the last piece of a word is looked up under another spelling",
    "max_word_chars": "very long words become unknown, or no longer",
    "prefix_ids": "every text lacks, or gains, ids at its beginning",
    "suffix_ids": "every text lacks, or gains, ids at its end",
    "decode": "ids are decoded to another text",
    "strip_decoded_prefix": "decoded text begins with a space too many, or too few",
    "clean_up": "decoded text lacks spaces before punctuation",
}
