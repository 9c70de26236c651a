"""Keeps the pieces of a word before the place where nothing fits, and has only the rest unknown."""

from __future__ import annotations

from dataclasses import dataclass

from tokparity.behaviour import Behaviour, Segment, Segmenter, Trace
from tokparity.quirk import Derived, Place, Quirk
from tokparity.quirks import toys
from tokparity.quirks.seen_vocabulary import algorithm
from tokparity.reference.wpm import wpm
from tokparity.vocabulary import Vocabulary


@dataclass(frozen=True)
class RestUnknown:
    """WordPiece, with the pieces before the place where nothing fits kept in front of the unknown token."""

    inner: Segment

    def __call__(self, vocabulary: Vocabulary, behaviour: Behaviour) -> Segmenter:
        whole, unknown = self.inner(vocabulary, behaviour), [vocabulary.unknown_id]

        def segmenter(word: str, trace: Trace | None = None) -> list[int]:
            ids, limit = whole(word, trace), behaviour.max_word_chars
            if ids != unknown or (limit is not None and len(word) > limit):
                return ids
            # The longest known beginning ends where nothing fits: the longest pieces are taken, so it is cut alike.
            begun = (whole(word[:end], None) for end in range(len(word) - 1, 0, -1))
            return next((kept + ids for kept in begun if kept != unknown), ids)

        return segmenter


def rest_unknown(behaviour: Behaviour) -> Segment:
    """What the quirk puts in the place of WordPiece; other algorithms as they are."""
    segment = behaviour.segment
    return RestUnknown(segment) if algorithm(segment) is wpm else segment


QUIRK = Quirk(
    name="keeps_pieces_before_unknown",
    title="Keeps a word's pieces before its unknown part",
    symptom="A word with an emoji in it becomes its first pieces and an unknown token. The right answer is one "
    "unknown token.",
    cause="The unknown token is added to the pieces that were found so far instead of taking their place.",
    fix="Write one unknown token for the whole word if any part of it has no piece.",
    field="segment",
    derive=Derived(Place.AFTER, 40, rest_unknown),
    links=("https://github.com/google-research/bert/blob/master/tokenization.py",),
    witness=lambda: toys.wordpiece("a ##b").on("abc"),
)
