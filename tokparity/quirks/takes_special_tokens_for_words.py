"""Finds special tokens as words, as if they were pieces that begin one."""

from __future__ import annotations

from dataclasses import replace

from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.quirks.seen_vocabulary import segments_as
from tokparity.reference.wpm import wpm
from tokparity.vocabulary import Kind, Vocabulary

_MARK = "▁".encode()
_WORDLIKE = (Kind.CONTROL, Kind.UNKNOWN, Kind.USER_DEFINED)


def marked(vocabulary: Vocabulary) -> Vocabulary:
    """The vocabulary with the mark of a word's beginning on special tokens, unless a piece is already spelled so."""
    taken = set(vocabulary.pieces)
    pairs = zip(vocabulary.pieces, vocabulary.kinds, strict=True)
    pieces = tuple(_MARK + p if kind in _WORDLIKE and p and _MARK + p not in taken else p for p, kind in pairs)
    return replace(vocabulary, pieces=pieces)


QUIRK = Quirk(
    name="takes_special_tokens_for_words",
    title="Finds special tokens as words, as if they were pieces that begin one",
    symptom="A word of the text that is spelled like a special token gets its id, although they are not to be parsed.",
    cause=(
        "One table holds words and special tokens, as in BERT's vocab.txt and tokenizer.json; a GGUF marks the pieces "
        "that begin a word with ▁ and so tells them apart."
    ),
    fix="Leave special tokens out of the table in which words are looked up.",
    field="segment",
    derive=segments_as(marked, wpm),
    links=("https://github.com/huggingface/tokenizers/blob/main/tokenizers/src/models/wordpiece/mod.rs",),
    witness=lambda: toys.wordpiece("▁a b", word_prefix="▁", continuing_prefix="").on("<s>"),
)
