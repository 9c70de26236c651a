"""Quirks of how single pieces and tokens are spelled when they are decoded, and of the spaces before them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tokparity.behaviour import Behaviour, Decode
from tokparity.quirk import Place, Quirk, github
from tokparity.quirks import toys
from tokparity.quirks.changed_stages import around_decode, decodes_with
from tokparity.reference.decode import DecodePieces, HuggingFaceDecode
from tokparity.reference.decode_stages import Replace
from tokparity.vocabulary import AddedToken, Kind, Vocabulary

_MARKER = "▁".encode()
_STANDS_FOR_IT = b"\xff\xfe"
"""Bytes that no piece holds, put in the marker's place so that nobody takes it for a space."""
_BUFFER = 32
"""Bytes of the buffer that `Llama.detokenize` of llama-cpp-python 0.3.36 has."""
_LONG = "=" * (_BUFFER + 1)


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
class UserDefinedAsSpelled:
    """Decodes as `inner`, but user-defined pieces as the vocabulary spells them."""

    inner: DecodePieces | HuggingFaceDecode

    def __call__(self, vocabulary: Vocabulary, behaviour: Behaviour, ids: Sequence[int]) -> bytes:
        known = [i for i in ids if 0 <= i < len(vocabulary)]
        if not any(vocabulary.kinds[i] is Kind.USER_DEFINED and _MARKER in vocabulary.pieces[i] for i in known):
            return self.inner(vocabulary, behaviour, ids)
        kinds = [vocabulary.kinds[i] for i in known]
        pieces = [
            vocabulary.pieces[i].replace(_MARKER, _STANDS_FOR_IT) if kind is Kind.USER_DEFINED else vocabulary.pieces[i]
            for i, kind in zip(known, kinds, strict=True)
        ]
        text = self.inner(only(vocabulary, known, pieces, kinds), behaviour, range(len(known)))
        return text.replace(_STANDS_FOR_IT, _MARKER)


@dataclass(frozen=True)
class FillersSpelled:
    """Decodes as before, but pieces of the kind unknown are normal ones, all but the unknown piece itself."""

    inner: Decode

    def __call__(self, vocabulary: Vocabulary, behaviour: Behaviour, ids: Sequence[int]) -> bytes:
        fillers = vocabulary.unknown_ids - {vocabulary.unknown_id}
        if fillers.isdisjoint(ids):
            return self.inner(vocabulary, behaviour, ids)
        known = [i for i in ids if 0 <= i < len(vocabulary)]
        kinds = [Kind.NORMAL if i in fillers else vocabulary.kinds[i] for i in known]
        alone = only(vocabulary, known, [vocabulary.pieces[i] for i in known], kinds)
        return self.inner(alone, behaviour, range(len(known)))


def only(vocabulary: Vocabulary, ids: Sequence[int], pieces: Sequence[bytes], kinds: Sequence[Kind]) -> Vocabulary:
    """A vocabulary of nothing but some ids, with these pieces and kinds: to change a whole one takes too long."""
    added = tuple(
        replace(token, id=n, content=pieces[n].decode("utf-8", "surrogateescape"))
        for n, i in enumerate(ids)
        if (token := vocabulary.added_by_id.get(i)) is not None
    )
    return Vocabulary(tuple(pieces), tuple(kinds), added=added)


@dataclass(frozen=True)
class ShortOnly:
    """Decodes as before, without the pieces that are too long."""

    inner: Decode

    def __call__(self, vocabulary: Vocabulary, behaviour: Behaviour, ids: Sequence[int]) -> bytes:
        short = [i for i in ids if len(self.inner(vocabulary, behaviour, [i])) <= _BUFFER]
        return self.inner(vocabulary, behaviour, short)


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
        name="loses_long_pieces_when_decoding",
        title="Drops pieces of more than 32 bytes when decoding",
        symptom="Long runs of spaces or dashes, and long words of scripts with three bytes per letter, are missing "
        "from decoded text.",
        cause="Each piece goes through a buffer of 32 bytes. A longer piece does not fit, and the engine ignores "
        "the negative length that says so.",
        fix="Call again with a buffer of the returned size.",
        field="decode",
        derive=around_decode(Place.BEFORE, 70, ShortOnly),
        witness=lambda: toys.spm("- " + _LONG, kinds={_LONG: Kind.USER_DEFINED}).on("-" + _LONG),
    ),
    Quirk(
        name="spells_fillers_when_decoding",
        title="Decodes fillers of the kind unknown to their names",
        symptom="The id of a filler, such as [PAD32043], decodes to its name. SentencePiece decodes a piece of the "
        "kind unknown as ⁇.",
        cause="The engine treats one id as unknown. The model's file gives that kind to the fillers of the embedding "
        "matrix as well.",
        fix="Mark the fillers as unused (token_type 5), or decode each piece as its kind says.",
        field="decode",
        derive=around_decode(Place.BEFORE, 15, FillersSpelled),
        witness=lambda: toys.spm("a [P]", {"[P]": Kind.UNKNOWN}, suffix_ids=(4,), skip_special=True).on(
            "a", add_special=True
        ),
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
