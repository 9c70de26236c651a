"""Quirks of how single pieces and tokens are spelled when they are decoded, and of the spaces before them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tokparity.behaviour import Behaviour, Decode
from tokparity.quirk import Derived, Place, Quirk, github
from tokparity.quirks import toys
from tokparity.quirks.changed_stages import around_decode, decodes_with
from tokparity.reference.decode import DecodePieces, HuggingFaceDecode, decode_wordpiece
from tokparity.reference.decode_stages import Replace, WordPiece
from tokparity.reference.wpm import CONTINUING
from tokparity.vocabulary import AddedToken, Kind, Vocabulary

_MARKER = "▁".encode()
_CONTINUING = CONTINUING.encode()
_STANDS_FOR_IT = b"\xff\xfe"
"""Bytes that no piece holds, put in the marker's place so that nobody takes it for a space."""


@dataclass(frozen=True)
class WithoutSpaceOfBytes:
    """Decodes as before; where a space is taken from the start, it may be one that a byte piece gives."""

    inner: Decode

    def __call__(self, vocabulary: Vocabulary, behaviour: Behaviour, ids: Sequence[int]) -> bytes:
        found, keeping = self.inner(vocabulary, behaviour, ids), behaviour.keeping_prefix
        if not behaviour.strip_decoded_prefix or not found.startswith(b" "):
            return found
        first = next((i for i in ids if self.inner(vocabulary, keeping, [i])), -1)
        return found[vocabulary.byte_values.get(first) == ord(" ") :]


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
    stages = (decode.stages or ()) if isinstance(decode, HuggingFaceDecode) else ()
    wordpiece = decode is decode_wordpiece or any(isinstance(stage, WordPiece) for stage in stages)
    return WithFirstSpace(decode) if wordpiece else decode


@dataclass(frozen=True)
class UserDefinedAsSpelled:
    """Decodes as `inner`, but user-defined pieces as the vocabulary spells them."""

    inner: DecodePieces | HuggingFaceDecode

    def __call__(self, vocabulary: Vocabulary, behaviour: Behaviour, ids: Sequence[int]) -> bytes:
        known = [i for i in ids if 0 <= i < len(vocabulary)]
        if not any(vocabulary.kinds[i] is Kind.USER_DEFINED and _MARKER in vocabulary.pieces[i] for i in known):
            return self.inner(vocabulary, behaviour, ids)
        kinds = tuple(vocabulary.kinds[i] for i in known)
        pieces = tuple(
            vocabulary.pieces[i].replace(_MARKER, _STANDS_FOR_IT) if kind is Kind.USER_DEFINED else vocabulary.pieces[i]
            for i, kind in zip(known, kinds, strict=True)
        )
        added = tuple(
            replace(token, id=n, content=pieces[n].decode("utf-8", "surrogateescape"))
            for n, i in enumerate(known)
            if (token := vocabulary.added_by_id.get(i)) is not None
        )
        # Only the pieces that are decoded: changing a whole vocabulary for each text would take too long.
        text = self.inner(Vocabulary(pieces, kinds, added=added), behaviour, range(len(known)))
        return text.replace(_STANDS_FOR_IT, _MARKER)


def _as_spelled(decode: Decode) -> Decode:
    if isinstance(decode, DecodePieces):
        return UserDefinedAsSpelled(decode)
    if not isinstance(decode, HuggingFaceDecode):
        return decode
    replaces = any(isinstance(stage, Replace) and stage.pattern == "▁" for stage in decode.stages or ())
    return UserDefinedAsSpelled(decode) if replaces else decode


@dataclass(frozen=True)
class AsMatched:
    """Decodes as `inner`, but `normalized` tokens as normalizing leaves them; one that it changes is never hidden."""

    inner: Decode

    def __call__(self, vocabulary: Vocabulary, behaviour: Behaviour, ids: Sequence[int]) -> bytes:
        changed = {i: found for i in set(ids) if (found := _normalised(vocabulary, behaviour, i)) is not None}
        if not changed:
            return self.inner(vocabulary, behaviour, ids)
        pieces = list(vocabulary.pieces)
        for i, token in changed.items():
            pieces[i] = token.content.encode()
        added = tuple(changed.get(token.id, token) for token in vocabulary.added)
        return self.inner(replace(vocabulary, pieces=tuple(pieces), added=added), behaviour, ids)


def _normalised(vocabulary: Vocabulary, behaviour: Behaviour, i: int) -> AddedToken | None:
    """The token as normalizing leaves it; None where it changes nothing."""
    token = vocabulary.added_by_id.get(i)
    if token is None or not token.normalized or behaviour.normalise is None:
        return None
    content = behaviour.normalise(token.content)
    return None if content == token.content else replace(token, content=content, special=False)


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
        name="leaves_marker_in_user_defined_pieces",
        title="Leaves ▁ of user-defined pieces in decoded text",
        symptom="Decoded text shows ▁ where a user-defined piece has one. The ▁ of other pieces decodes to a space.",
        cause="The engine copies user-defined pieces as they are spelled, like control pieces. It replaces ▁ by a "
        "space in normal pieces only (llama_vocab::impl::token_to_piece).",
        fix="Replace ▁ by a space in user-defined pieces too.",
        field="decode",
        derive=decodes_with(60, _as_spelled),
        links=github("ggml-org/llama.cpp/blob/master/src/llama-vocab.cpp"),
        witness=lambda: toys.spm("a ▁ ▁a", {"▁": Kind.USER_DEFINED}).on("a a"),
    ),
    Quirk(
        name="strips_decoded_space_of_bytes",
        title="Strips a decoded space that a byte piece gives",
        symptom="Ids that begin with the byte piece <0x20> decode without their first space.",
        cause="The engine takes a space from the start of the decoded text. The original takes a ▁ from a piece.",
        fix="Remove the space prefix from the first piece, if that is not a byte piece.",
        field="decode",
        derive=around_decode(Place.BEFORE, 55, WithoutSpaceOfBytes),
        links=github("ggml-org/llama.cpp/blob/master/src/llama-vocab.cpp"),
        witness=lambda: toys.spm("a", byte_pieces=True, space_marker=" ", strip_decoded_prefix=True).on(" a"),
    ),
    Quirk(
        name="decodes_normalized_tokens_as_matched",
        title="Decodes a `normalized` token in its normalized spelling",
        symptom="Where the normalizer lowers case, an added token with capitals comes back in small letters.",
        cause="The table of added tokens keeps the normalized spelling of such tokens.",
        fix="Keep the spelling of the model's file for decoding.",
        field="decode",
        derive=around_decode(Place.BEFORE, 30, AsMatched),
        links=github("huggingface/tokenizers/blob/main/tokenizers/src/tokenizer/added_vocabulary.rs"),
        witness=lambda: toys.spm(
            "a b AB", added=(toys.special("AB", 5, special=False, normalized=True),), normalise=str.lower
        ).on("AB"),
    ),
)
