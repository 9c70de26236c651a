"""A large vocabulary without the pieces that cannot come up in a few texts, so that trying a behaviour takes no second.

A piece can only come up where it is part of a text as some normaliser may leave it. Ids, kinds and scores stay as they
are. What is found with the reduced vocabulary is verified with the whole one; so at worst something is not found.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Literal

from tokparity.behaviour import Behaviour
from tokparity.diagnose.evidence import Base
from tokparity.reference.byte_alphabet import to_alphabet
from tokparity.vocabulary import Kind, Vocabulary

_WORTH_IT = 20_000  # pieces
_KEPT_ANYWAY = 10_000  # some engines guess by the first pieces what the vocabulary is like
_GRAM = 4  # characters: a piece can come up only if each four in a row of it do
_FORMS: tuple[Literal["NFC", "NFD", "NFKC", "NFKD"], ...] = ("NFC", "NFD", "NFKC", "NFKD")
_MARKERS = "▁Ġ "


def reduced(base: Base, texts: Iterable[bytes]) -> Base:
    """The base with all pieces blanked that none of the texts can contain; a small one as it is."""
    vocabulary = base.vocabulary
    if len(vocabulary) < _WORTH_IT:
        return base
    haystack = "\n\n".join(_variants(texts, base.behaviour))
    grams = {haystack[i : i + n] for n in range(1, _GRAM + 1) for i in range(len(haystack) - n + 1)}
    affixes = [affix for affix in (base.behaviour.continuing_prefix, base.behaviour.word_suffix) if affix]

    def may_come_up(piece: bytes) -> bool:
        core = piece.decode("utf-8", "surrogateescape")
        for affix in affixes:
            core = core.removeprefix(affix).removesuffix(affix)
        core = core.lstrip(_MARKERS) or core
        return all(core[i : i + _GRAM] in grams for i in range(max(1, len(core) - _GRAM + 1)))

    pieces = tuple(
        piece if i < _KEPT_ANYWAY or kind is not Kind.NORMAL or may_come_up(piece) else b""
        for i, (piece, kind) in enumerate(zip(vocabulary.pieces, vocabulary.kinds, strict=True))
    )
    return replace(base, vocabulary=_with_pieces(vocabulary, pieces))


def _with_pieces(vocabulary: Vocabulary, pieces: tuple[bytes, ...]) -> Vocabulary:
    there = set(pieces)
    merges = tuple(merge for merge in vocabulary.merges if merge[0] in there and merge[1] in there)
    return replace(vocabulary, pieces=pieces, merges=merges or vocabulary.merges[:1])


def _variants(texts: Iterable[bytes], behaviour: Behaviour) -> Iterator[str]:
    """The texts in every form that a behaviour may bring them into."""
    seen: set[str] = set()
    for text in texts:
        for form in _forms(text, behaviour):
            for spelled in (form, re.sub(" +", " ", form)):
                if spelled not in seen:
                    seen.add(spelled)
                    yield f"▁{spelled.replace(' ', '▁')}▁"
                    if behaviour.byte_level:
                        yield to_alphabet(f" {spelled} ")


def _forms(text: bytes, behaviour: Behaviour) -> Iterator[str]:
    for decoded in dict.fromkeys((text.decode("utf-8", "surrogateescape"), text.decode("utf-8", "replace"))):
        normalised = behaviour.normalise(decoded) if behaviour.normalise else decoded
        for form in (decoded, normalised, *(unicodedata.normalize(name, decoded) for name in _FORMS)):
            yield from (form, form.lower(), form.upper(), form.casefold())
