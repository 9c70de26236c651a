"""Quirks of decoding WordPiece: spaces before words, and the mark of pieces inside a word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tokparity.behaviour import Behaviour, Decode
from tokparity.quirk import Derived, Place, Quirk, github
from tokparity.quirks import toys
from tokparity.quirks.changed_stages import decodes_with
from tokparity.reference.decode import HuggingFaceDecode, decode_wordpiece
from tokparity.reference.decode_stages import WordPiece
from tokparity.reference.wpm import CONTINUING
from tokparity.vocabulary import Kind, Vocabulary

_CONTINUING = CONTINUING.encode()


@dataclass(frozen=True)
class WithoutFirstMark:
    """Decodes as before, without ## where the text begins with a piece that continues a word."""

    inner: Decode

    def __call__(self, vocabulary: Vocabulary, behaviour: Behaviour, ids: Sequence[int]) -> bytes:
        text = self.inner(vocabulary, behaviour, ids)
        if not text.startswith(_CONTINUING):
            return text
        shown = next((i for i in ids if self.inner(vocabulary, behaviour, [i])), None)
        continues = shown is not None and shown not in vocabulary.added_by_id
        return text[len(_CONTINUING) :] if continues and _continues(vocabulary.pieces[shown or 0], behaviour) else text


@dataclass(frozen=True)
class UnmarkedJoined:
    """Decodes as `inner`, which writes a space before nothing but pieces that are marked as beginning a word.

    A GGUF marks no added token, and no name in brackets ("[unused7]").
    """

    inner: Decode

    def __call__(self, vocabulary: Vocabulary, behaviour: Behaviour, ids: Sequence[int]) -> bytes:
        hidden = vocabulary.special_added if behaviour.skip_special else frozenset()
        known = [i for i in ids if 0 <= i < len(vocabulary) and i not in hidden]
        pieces = tuple(_as_bert_spells(vocabulary, behaviour.word_prefix.encode(), i) for i in known)
        alone = Vocabulary(pieces, tuple(vocabulary.kinds[i] for i in known))
        text = self.inner(alone, replace(behaviour, word_prefix=""), range(len(known)))
        return text.removeprefix(_CONTINUING) if known and _is_unmarked(vocabulary, known[0]) else text


def _as_bert_spells(vocabulary: Vocabulary, mark: bytes, i: int) -> bytes:
    """A piece as one that begins or continues a word; `mark` is on those that begin one, or empty."""
    token, piece = vocabulary.added_by_id.get(i), vocabulary.pieces[i]
    if _is_unmarked(vocabulary, i):
        return _CONTINUING + (piece if token is None else token.content.encode())
    return piece.removeprefix(mark) if piece.startswith(mark) else _CONTINUING + piece


def _is_unmarked(vocabulary: Vocabulary, i: int) -> bool:
    piece = vocabulary.pieces[i]
    return i in vocabulary.added_by_id or (len(piece) > 2 and piece[:1] == b"[" and piece[-1:] == b"]")


def _joined(behaviour: Behaviour) -> object:
    decode = behaviour.decode
    stages = (decode.stages or ()) if isinstance(decode, HuggingFaceDecode) else ()
    is_of_words = any(isinstance(stage, WordPiece) and stage.prefix == "##" for stage in stages)
    return UnmarkedJoined(decode) if is_of_words or (decode is decode_wordpiece) else decode


def _toy_with_added() -> toys.Toy:
    toy = toys.wordpiece("▁a +", continuing_prefix="", word_prefix="▁")
    added = (*toy.vocabulary.added, toys.special("+", 4, special=False))
    kinds = tuple(Kind.USER_DEFINED if i == 4 else kind for i, kind in enumerate(toy.vocabulary.kinds))
    return replace(toy, vocabulary=replace(toy.vocabulary, added=added, kinds=kinds))


@dataclass(frozen=True)
class WithFirstSpace:
    """Decodes as before, with a space at the front unless the first piece shown continues a word."""

    inner: Decode

    def __call__(self, vocabulary: Vocabulary, behaviour: Behaviour, ids: Sequence[int]) -> bytes:
        text = self.inner(vocabulary, behaviour, ids)
        shown = next((i for i in ids if self.inner(vocabulary, behaviour, [i])), None)
        if shown is None or shown in vocabulary.added_by_id or _continues(vocabulary.pieces[shown], behaviour):
            return text
        return b" " + text


def _continues(piece: bytes, behaviour: Behaviour) -> bool:
    if behaviour.word_prefix:
        return not piece.startswith(behaviour.word_prefix.encode())
    return piece.startswith((behaviour.continuing_prefix or "##").encode())


def _with_first_space(decode: Decode) -> Decode:
    return WithFirstSpace(decode) if _is_of_words(decode) else decode


def _without_first_mark(decode: Decode) -> Decode:
    return WithoutFirstMark(decode) if _is_of_words(decode) else decode


def _is_of_words(decode: Decode) -> bool:
    stages = (decode.stages or ()) if isinstance(decode, HuggingFaceDecode) else ()
    return decode is decode_wordpiece or any(isinstance(stage, WordPiece) for stage in stages)


QUIRKS = (
    Quirk(
        name="joins_added_tokens_when_decoding",
        title="Decodes added tokens of WordPiece without a space before them",
        symptom="Decoded text has no space before an added token, nor before a name in brackets such as [unused7].",
        cause="Only a piece that is marked as the beginning of a word is written with a space. Added tokens and names "
        "in brackets have no mark.",
        fix="Write a space before added tokens, as the decoder of BERT does before all that does not begin with ##.",
        field="decode",
        derive=Derived(Place.PART, 40, _joined),
        links=github("ggml-org/llama.cpp/blob/master/src/llama-vocab.cpp"),
        witness=lambda: _toy_with_added().on("a+"),
    ),
    Quirk(
        name="keeps_space_before_first_word",
        title="Writes a space before the first word when decoding",
        symptom="Decoded text of a WordPiece model begins with a space.",
        cause="A piece that begins a word is stored with a marker for the space before it (▁ in a GGUF). The engine "
        "writes that space also for the first piece of a text.",
        fix="Put a space between words, and none before the first.",
        field="decode",
        derive=decodes_with(50, _with_first_space),
        links=github("ggml-org/llama.cpp/blob/master/src/llama-vocab.cpp"),
        witness=lambda: toys.wordpiece("a").on("a"),
    ),
    Quirk(
        name="drops_mark_of_first_piece",
        title="Leaves ## out at the beginning of decoded text",
        symptom="Ids that begin inside a word decode without ##, so that they look like a whole word.",
        cause="Pieces inside a word are stored without ## (in a GGUF, those that begin a word have ▁ instead).",
        fix="Write ## before the first piece of a text if it continues a word, as the decoder of BERT does.",
        field="decode",
        derive=decodes_with(45, _without_first_mark),
        links=github("ggml-org/llama.cpp/blob/master/src/llama-vocab.cpp"),
        witness=lambda: toys.wordpiece("##a", continuing_prefix="").on("##a"),
    ),
)
