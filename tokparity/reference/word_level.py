"""Word level: a word is a piece or it is unknown.

Source: tokenizers 0.23, `models/wordlevel/mod.rs`.
"""

from __future__ import annotations

from tokparity.behaviour import Behaviour, Segmenter, Trace
from tokparity.vocabulary import Vocabulary


def word_level(vocabulary: Vocabulary, behaviour: Behaviour) -> Segmenter:
    """The segmenter for vocabularies of whole words."""
    return WordLevel(vocabulary)


class WordLevel:
    """Looks words up."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._ids = vocabulary.spelled_ids
        self._unknown = vocabulary.unknown_id

    def __call__(self, word: str, trace: Trace | None = None) -> list[int]:
        found = self._ids.get(word, self._unknown)
        if trace:
            trace("word", {"word": word, "id": found})
        return [] if found is None else [found]
