"""Leaves the marker of user-defined pieces in decoded text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tokparity.behaviour import Behaviour, Decode
from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.quirks.changed_stages import decodes_with
from tokparity.reference.decode import DecodePieces
from tokparity.vocabulary import Kind, Vocabulary

_STANDS_FOR_IT = b"\xff\xfe"
"""Bytes that no piece holds, put in the marker's place so that nobody takes it for a space."""


@dataclass(frozen=True)
class UserDefinedAsSpelled:
    """Decodes as `inner`, but user-defined pieces as the vocabulary spells them."""

    inner: DecodePieces

    def __call__(self, vocabulary: Vocabulary, behaviour: Behaviour, ids: Sequence[int]) -> bytes:
        marker = behaviour.space_marker.encode()
        known = [i for i in ids if 0 <= i < len(vocabulary)]
        kinds = tuple(vocabulary.kinds[i] for i in known)
        pieces = tuple(
            vocabulary.pieces[i].replace(marker, _STANDS_FOR_IT) if kind is Kind.USER_DEFINED else vocabulary.pieces[i]
            for i, kind in zip(known, kinds, strict=True)
        )
        # Only the pieces that are decoded: changing a whole vocabulary for each text would take too long.
        text = self.inner(Vocabulary(pieces, kinds), behaviour, range(len(known)))
        return text.replace(_STANDS_FOR_IT, marker)


def _as_spelled(decode: Decode) -> Decode:
    return UserDefinedAsSpelled(decode) if isinstance(decode, DecodePieces) else decode


QUIRK = Quirk(
    name="leaves_marker_in_user_defined_pieces",
    title="Leaves the marker of user-defined pieces in decoded text",
    symptom="Decoded text shows ▁ where a user-defined piece has it; the other pieces have spaces there.",
    cause=(
        "User-defined pieces are copied out as they are spelled, like control pieces; the marker is turned back into "
        "a space in normal pieces only (llama_vocab::impl::token_to_piece)."
    ),
    fix="Turn the marker back into a space in user-defined pieces as well.",
    field="decode",
    derive=decodes_with(_as_spelled),
    links=("https://github.com/ggml-org/llama.cpp/blob/master/src/llama-vocab.cpp",),
    witness=lambda: toys.spm("a ▁ ▁a", {"▁": Kind.USER_DEFINED}).on("a a"),
)
