"""Measures the longest word that WordPiece cuts in bytes instead of in characters."""

from __future__ import annotations

from dataclasses import dataclass

from tokparity.behaviour import Behaviour, Segment, Segmenter, Trace
from tokparity.quirk import Derived, Place, Quirk
from tokparity.quirks import toys
from tokparity.quirks.seen_vocabulary import algorithm
from tokparity.reference.wpm import wpm
from tokparity.vocabulary import Vocabulary


@dataclass(frozen=True)
class LimitInBytes:
    """WordPiece, to which a word of more bytes of UTF-8 than it may have characters is unknown."""

    inner: Segment

    def __call__(self, vocabulary: Vocabulary, behaviour: Behaviour) -> Segmenter:
        cut, unknown = self.inner(vocabulary, behaviour), vocabulary.unknown_id
        limit = behaviour.max_word_chars

        def segmenter(word: str, trace: Trace | None = None) -> list[int]:
            if limit is None or len(word.encode("utf-8", "surrogateescape")) <= limit:
                return cut(word, trace)
            return [] if unknown is None else [unknown]

        return segmenter


def limit_in_bytes(behaviour: Behaviour) -> Segment:
    """WordPiece with a word limit in bytes; any other algorithm stays as it is."""
    segment = behaviour.segment
    return LimitInBytes(segment) if algorithm(segment) is wpm else segment


QUIRK = Quirk(
    name="limits_words_in_bytes",
    title="Measures the word limit in bytes",
    symptom="Words of two-byte characters (Cyrillic) become the unknown token from 51 characters on, those of "
    "three-byte characters (Thai) from 34 on. ASCII words are right up to 100.",
    cause="The engine compares max_input_chars_per_word (100 in BERT) with the length in UTF-8, as len() in Go and "
    "size() in C++ return it.",
    fix="Count code points.",
    field="segment",
    derive=Derived(Place.AFTER, 60, limit_in_bytes),
    links=("https://github.com/google-research/bert/blob/master/tokenization.py",),
    witness=lambda: toys.wordpiece("ж ##ж", max_word_chars=3).on("жжж"),
)
