"""Finds no byte piece whose number has a letter in it."""

from __future__ import annotations

from dataclasses import dataclass

from tokparity.behaviour import Behaviour, Segment, Segmenter, Trace
from tokparity.quirk import Derived, Place, Quirk
from tokparity.quirks import toys
from tokparity.vocabulary import Vocabulary


@dataclass(frozen=True)
class UnknownForLetters:
    """An algorithm, with the unknown id for each byte whose two hexadecimal digits have a letter among them."""

    inner: Segment

    def __call__(self, vocabulary: Vocabulary, behaviour: Behaviour) -> Segmenter:
        whole, unknown = self.inner(vocabulary, behaviour), vocabulary.unknown_id
        missed = {i for byte, i in enumerate(vocabulary.byte_ids) if not f"{byte:02X}".isdigit()}

        def segmenter(word: str, trace: Trace | None = None) -> list[int]:
            ids = whole(word, trace)
            return ids if unknown is None else [unknown if i in missed else i for i in ids]

        return segmenter


def unknown_for_letters(behaviour: Behaviour) -> Segment:
    """What the quirk puts in the place of an algorithm that falls back to bytes; others as they are."""
    return UnknownForLetters(behaviour.segment) if behaviour.fallback == "bytes" else behaviour.segment


QUIRK = Quirk(
    name="misses_byte_pieces_with_hex_letters",
    title="Misses byte pieces whose number has a letter in it",
    symptom="Emoji become a mix of byte pieces and unknown tokens: the engine finds <0x98> and misses <0x9F>.",
    cause="The engine spells byte pieces with small hexadecimal digits (%02x). The vocabulary has capitals.",
    fix="Spell them <0x%02X>.",
    field="segment",
    derive=Derived(Place.AFTER, 50, unknown_for_letters),
    witness=lambda: toys.spm("a", byte_pieces=True).on("aé"),
)
