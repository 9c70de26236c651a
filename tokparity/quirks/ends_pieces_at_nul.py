"""Looks pieces up as strings that end at the first NUL."""

from __future__ import annotations

from dataclasses import dataclass

from tokparity.behaviour import Behaviour, Segment, Segmenter, Trace
from tokparity.quirk import Derived, Place, Quirk
from tokparity.quirks import toys
from tokparity.quirks.seen_vocabulary import algorithm
from tokparity.reference.spm import spm
from tokparity.reference.text import encode_text
from tokparity.reference.unknown import fallback
from tokparity.vocabulary import Vocabulary


@dataclass(frozen=True)
class EndedAtNul:
    """Merging by score where a symbol is read as a C string, which ends at its first NUL.

    A piece and a NUL together still read as the piece. So they are merged, and then again with each character that
    follows, which is lost. After a character that is no piece, the NUL stays, and merging begins anew.
    """

    inner: Segment

    def __call__(self, vocabulary: Vocabulary, behaviour: Behaviour) -> Segmenter:
        segmenter, of_nul = self.inner(vocabulary, behaviour), fallback(vocabulary, behaviour)("\0")

        def ends_with_piece(part: str, ids: list[int]) -> bool:
            return bool(ids) and encode_text(part).endswith(vocabulary.pieces[ids[-1]])

        def segment(word: str, trace: Trace | None = None) -> list[int]:
            if "\0" not in word:
                return segmenter(word, trace)
            ids: list[int] = []
            *parts, last = word.split("\0")
            for part in parts:
                found = segmenter(part, trace)
                ids += found
                if ends_with_piece(part, found):
                    return ids
                ids += of_nul
            return ids + segmenter(last, trace)

        return segment


def _ended(behaviour: Behaviour) -> Segment:
    segment = behaviour.segment
    return EndedAtNul(segment) if algorithm(segment) is spm else segment


QUIRK = Quirk(
    name="ends_pieces_at_nul",
    title="Looks pieces up as C strings, which end at U+0000",
    symptom="U+0000 and the rest of the word after it are lost. Nothing is lost if the character directly before "
    "U+0000 is not a piece.",
    cause="The engine joins two symbols and looks the result up as a zero-terminated string. With U+0000 between "
    "them, only the left symbol is compared. It is a piece, so the two are merged.",
    fix="Pass the length of the text along when a piece is looked up.",
    field="segment",
    derive=Derived(Place.AFTER, 20, _ended),
    witness=lambda: toys.spm("a b", byte_pieces=True).on(b"\xe9\0ba\0b"),
)
