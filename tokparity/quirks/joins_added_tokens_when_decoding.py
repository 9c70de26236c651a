"""Puts no space before an added token when WordPiece is decoded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tokparity.behaviour import Behaviour, Decode
from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.reference.decode import decode_wordpiece
from tokparity.vocabulary import Kind, Vocabulary


@dataclass(frozen=True)
class AddedTokensJoined:
    """Decodes as `inner`, which takes an added token that is not special for one that continues a word."""

    inner: Decode

    def __call__(self, vocabulary: Vocabulary, behaviour: Behaviour, ids: Sequence[int]) -> bytes:
        joined = {token.id for token in vocabulary.added if not token.special}
        special = tuple(token for token in vocabulary.added if token.special)
        text = self.inner(replace(vocabulary, added=special), behaviour, ids)
        first = next((i for i in ids if not (behaviour.skip_special and i in vocabulary.special_added)), None)
        return text.removeprefix(b"##") if first in joined else text


def _derive(behaviour: Behaviour) -> object:
    decode = behaviour.decode
    return AddedTokensJoined(decode) if decode is decode_wordpiece and behaviour.word_prefix else decode


def _toy() -> toys.Toy:
    toy = toys.wordpiece("▁a +", continuing_prefix="", word_prefix="▁")
    added = (*toy.vocabulary.added, toys.special("+", 4, special=False))
    kinds = tuple(Kind.USER_DEFINED if i == 4 else kind for i, kind in enumerate(toy.vocabulary.kinds))
    return replace(toy, vocabulary=replace(toy.vocabulary, added=added, kinds=kinds))


QUIRK = Quirk(
    name="joins_added_tokens_when_decoding",
    title="Puts no space before an added token when WordPiece is decoded",
    symptom="Decoded text has no space before an added token that is not special.",
    cause="Only a piece that is marked as the beginning of a word is written with a space; added tokens have no mark.",
    fix="Write a space before added tokens, as the decoder of BERT does before all that does not begin with ##.",
    field="decode",
    derive=_derive,
    links=("https://github.com/ggml-org/llama.cpp/blob/master/src/llama-vocab.cpp",),
    witness=lambda: _toy().on("a+"),
)
