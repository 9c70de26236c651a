"""Does not know the letter of the byte 0xAD when decoding, because the table takes it for a printable byte."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tokparity.behaviour import Behaviour, Decode
from tokparity.quirk import Derived, Place, Quirk
from tokparity.quirks import toys
from tokparity.quirks.changed_stages import decodes_with
from tokparity.quirks.decoded_pieces import only
from tokparity.quirks.maps_soft_hyphen_byte_to_itself import FIX, SOURCE
from tokparity.reference.byte_alphabet import ALPHABET, to_alphabet
from tokparity.vocabulary import Vocabulary

_LETTER = ALPHABET[0xAD].encode()


@dataclass(frozen=True)
class LetterUnread:
    """Decodes as before, but a piece that has the letter of 0xAD is written as it is spelled."""

    inner: Decode

    def __call__(self, vocabulary: Vocabulary, behaviour: Behaviour, ids: Sequence[int]) -> bytes:
        known = [i for i in ids if 0 <= i < len(vocabulary)]
        pieces = [vocabulary.pieces[i] for i in known]
        own = [_LETTER in piece and i not in vocabulary.added_by_id for i, piece in zip(known, pieces, strict=True)]
        if not any(own):
            return self.inner(vocabulary, behaviour, ids)
        pieces = [_spelled(piece) if it else piece for piece, it in zip(pieces, own, strict=True)]
        kinds = [vocabulary.kinds[i] for i in known]
        return self.inner(only(vocabulary, known, pieces, kinds), behaviour, range(len(known)))


def _spelled(piece: bytes) -> bytes:
    """What is decoded to the piece as it is spelled."""
    return to_alphabet(piece.decode("utf-8", "surrogateescape")).encode()


_INNERMOST = decodes_with(65, LetterUnread)

QUIRK = Quirk(
    name="misreads_soft_hyphen_byte_when_decoding",
    title="Takes the byte 0xAD for a printable one when decoding",
    symptom="Decoded text has Ń (U+0143) and U+FFFD where í, 中 or 국 should be: their UTF-8 has the byte 0xAD.",
    cause="The decoder's byte alphabet takes 0xA1 to 0xFF as they are. So it lacks U+0143, GPT-2's letter for 0xAD. A "
    "piece with an unknown letter is written as it is spelled.",
    fix=FIX,
    field="decode",
    derive=Derived(
        Place.PART, 65, lambda behaviour: _INNERMOST(behaviour) if behaviour.byte_level else behaviour.decode
    ),
    links=SOURCE,
    witness=lambda: toys.byte_bpe("Ã+Ń").on("í"),
)
