"""Decodes byte pieces as they are spelled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from tokparity.behaviour import Behaviour, Decode
from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.vocabulary import Kind, Vocabulary


@dataclass(frozen=True)
class BytesSpelled:
    """Decodes as before, but byte pieces are spelled out."""

    inner: Decode

    def __call__(self, vocabulary: Vocabulary, behaviour: Behaviour, ids: Sequence[int]) -> bytes:
        parts: list[bytes] = []
        for is_bytes, run in groupby(ids, key=lambda i: vocabulary.kinds[i] is Kind.BYTE):
            found = list(run)
            spelled = b"".join(vocabulary.pieces[i] for i in found)
            parts.append(spelled if is_bytes else self.inner(vocabulary, behaviour, found))
        return b"".join(parts)


QUIRK = Quirk(
    name="spells_byte_pieces_when_decoding",
    title="Decodes byte pieces as they are spelled",
    symptom="Decoded text shows <0x0A> for newlines and <0xF0><0x9F> for emoji.",
    cause="Byte pieces are not turned back into bytes.",
    fix="Join the bytes that the byte pieces stand for, then decode them as UTF-8.",
    field="decode",
    derive=lambda behaviour: BytesSpelled(behaviour.decode),
    witness=lambda: toys.spm("a b", byte_pieces=True).on("a\nb"),
)
