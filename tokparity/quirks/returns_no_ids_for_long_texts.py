"""Gives nothing at all for texts that do not fit a buffer."""

from __future__ import annotations

from dataclasses import dataclass

from tokparity.behaviour import Behaviour, Segment, Segmenter, Trace
from tokparity.quirk import Derived, Place, Quirk
from tokparity.quirks import toys
from tokparity.reference.text import encode_text
from tokparity.vocabulary import Vocabulary

_ROOM = 8191


@dataclass(frozen=True)
class Short:
    """An algorithm that sees only what fits 8,192 bytes with the zero behind it."""

    inner: Segment

    def __call__(self, vocabulary: Vocabulary, behaviour: Behaviour) -> Segmenter:
        segmenter = self.inner(vocabulary, behaviour)

        def segment(word: str, trace: Trace | None = None) -> list[int]:
            return segmenter(word, trace) if len(encode_text(word)) <= _ROOM else []

        return segment


QUIRK = Quirk(
    name="returns_no_ids_for_long_texts",
    title="Returns no ids for texts longer than a buffer",
    symptom="A long document has no ids, and no error is raised.",
    cause="The prepared text goes into a buffer of 8,192 bytes. The engine ignores the error for a longer text.",
    fix="Make the buffer as large as the text needs, or return the error.",
    field="segment",
    derive=Derived(Place.AFTER, 30, lambda behaviour: Short(behaviour.segment)),
    witness=lambda: toys.spm("a ▁").on("a" + 2731 * " "),
)
