"""Takes added tokens for plain text when decoding, even where they are spelled in the byte alphabet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tokparity.behaviour import Behaviour, Decode
from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.vocabulary import AddedToken, Vocabulary


@dataclass(frozen=True)
class AddedAsText:
    """Decodes what lies between added tokens as before, and added tokens that are shown at all as their UTF-8."""

    inner: Decode

    def __call__(self, vocabulary: Vocabulary, behaviour: Behaviour, ids: Sequence[int]) -> bytes:
        added = vocabulary.added_by_id
        parts: list[bytes] = []
        between: list[int] = []
        for i in ids:
            if i in added and self.inner(vocabulary, behaviour, [i]):
                parts += self.inner(vocabulary, behaviour, between), added[i].content.encode()
                between = []
            else:
                between.append(i)
        return b"".join([*parts, self.inner(vocabulary, behaviour, between)])


QUIRK = Quirk(
    name="keeps_added_tokens_when_decoding",
    title="Takes added tokens for plain text when decoding, even where they are spelled in the byte alphabet",
    symptom='Only added tokens of a few Latin letters (DeepSeek has "õ") decode differently.',
    cause="Added tokens are told apart by their kind; the original decodes all that the byte alphabet can spell.",
    fix="Decode added tokens like pieces where all their characters are in the byte alphabet.",
    field="decode",
    derive=lambda behaviour: AddedAsText(behaviour.decode) if behaviour.byte_level else behaviour.decode,
    witness=lambda: toys.byte_bpe("", added=(AddedToken(3, "õ", special=False),)).on("õ"),
)
