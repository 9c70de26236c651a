"""Quirks of decoding ids of some kinds: special, unknown, unused, added, byte pieces."""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby

from tokparity.behaviour import Behaviour, Decode
from tokparity.errors import AbortedError
from tokparity.quirk import Derived, Place, Quirk, github
from tokparity.quirks import toys
from tokparity.quirks.changed_stages import around_decode
from tokparity.quirks.marks_tokens_special_by_name import kinds_by_name
from tokparity.vocabulary import AddedToken, Kind, Vocabulary


@dataclass(frozen=True)
class WithoutNamed:
    """Decodes as before; where special tokens are left out, names say which tokens these are."""

    inner: Decode

    def __call__(self, vocabulary: Vocabulary, behaviour: Behaviour, ids: Sequence[int]) -> bytes:
        if not behaviour.skip_special:
            return self.inner(vocabulary, behaviour, ids)
        kinds = kinds_by_name(vocabulary)
        shown = {i for i, kind in kinds.items() if kind is not Kind.CONTROL and i in vocabulary.special_added}
        kept = [i for i in ids if kinds.get(i) is not Kind.CONTROL]
        return _with_literal(shown, vocabulary, kept, partial(self.inner, vocabulary, behaviour))


@dataclass(frozen=True)
class WithoutUnknown:
    """Decodes as before; where special tokens are left out, pieces of the kind unknown are as well."""

    inner: Decode

    def __call__(self, vocabulary: Vocabulary, behaviour: Behaviour, ids: Sequence[int]) -> bytes:
        if behaviour.skip_special:
            unknown = vocabulary.unknown_ids
            ids = [i for i in ids if i not in unknown]
        return self.inner(vocabulary, behaviour, ids)


@dataclass(frozen=True)
class WithoutUnused:
    """Decodes as before all but the pieces of the kind unused."""

    inner: Decode

    def __call__(self, vocabulary: Vocabulary, behaviour: Behaviour, ids: Sequence[int]) -> bytes:
        return self.inner(vocabulary, behaviour, [i for i in ids if _kind(vocabulary, i) is not Kind.UNUSED])


@dataclass(frozen=True)
class AfterSpecial:
    """Decodes as before, but takes no space away behind a token that is itself left out."""

    inner: Decode

    def __call__(self, vocabulary: Vocabulary, behaviour: Behaviour, ids: Sequence[int]) -> bytes:
        special = Kind.CONTROL, Kind.UNKNOWN
        keeping = behaviour.keeping_prefix
        left_out = ids and not self.inner(vocabulary, keeping, ids[:1])
        if left_out or (ids and (ids[0] in vocabulary.special_added or _kind(vocabulary, ids[0]) in special)):
            behaviour = keeping
        return self.inner(vocabulary, behaviour, ids)


@dataclass(frozen=True)
class AddedAsText:
    """Decodes what lies between added tokens as before, and added tokens that are shown at all as their UTF-8."""

    inner: Decode

    def __call__(self, vocabulary: Vocabulary, behaviour: Behaviour, ids: Sequence[int]) -> bytes:
        inner = partial(self.inner, vocabulary, behaviour)
        shown = {i for i in ids if i in vocabulary.added_by_id and inner([i])}
        return _with_literal(shown, vocabulary, ids, inner)


def _with_literal(
    shown: Container[int], vocabulary: Vocabulary, ids: Sequence[int], inner: Callable[[Sequence[int]], bytes]
) -> bytes:
    """What is shown as its added token's UTF-8, and what lies between as `inner` decodes it."""
    parts: list[bytes] = []
    between: list[int] = []
    for i in ids:
        if i in shown:
            parts += inner(between), vocabulary.added_by_id[i].content.encode()
            between = []
        else:
            between.append(i)
    return b"".join([*parts, inner(between)])


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


@dataclass(frozen=True)
class AbortsOutOfRange:
    """Decodes as before the ids that the vocabulary has, and dies of any other."""

    inner: Decode

    def __call__(self, vocabulary: Vocabulary, behaviour: Behaviour, ids: Sequence[int]) -> bytes:
        for i in ids:
            if not 0 <= i < len(vocabulary):
                raise AbortedError(f"no piece has the id {i}", "this quirk represents a crash")
        return self.inner(vocabulary, behaviour, ids)


def _kind(vocabulary: Vocabulary, i: int) -> Kind | None:
    return vocabulary.kinds[i] if 0 <= i < len(vocabulary) else None


QUIRKS = (
    Quirk(
        name="aborts_on_ids_out_of_range",
        title="Crashes on an id that the vocabulary does not have",
        symptom="The whole process ends when such an id is decoded. It comes from another program, or from a model "
        "with more output rows than pieces.",
        cause="The look-up of the id throws an exception that nobody catches (llama_vocab::impl::token_get_attr, "
        "std::vector::at).",
        fix="Compare each id with the size of the vocabulary, and refuse or skip what is outside.",
        field="decode",
        derive=around_decode(Place.BEFORE, 80, AbortsOutOfRange),
        stands_for_crash=True,
        links=github("ggml-org/llama.cpp/blob/master/src/llama-vocab.cpp"),
        witness=lambda: toys.spm("a b", suffix_ids=(99,)).on("ab", add_special=True),
    ),
    Quirk(
        name="hides_specials_when_decoding",
        title="Leaves special tokens out of decoded text",
        symptom="BOS, EOS and the markers of a chat are missing from decoded text, although nobody asked to hide them.",
        cause="skip_special_tokens is on although it was not asked for.",
        fix="Leave special tokens out only when asked to.",
        field="skip_special",
        value=True,
        links=github("abetlen/llama-cpp-python/pull/1596"),
        witness=lambda: toys.spm("a b").on("<s>ab", parse_special=True),
    ),
    Quirk(
        name="hides_tokens_by_name_when_decoding",
        title="Hides or shows decoded tokens because of their names",
        symptom="A token that the model's file does not call special (</s>, a fill-in-the-middle marker, "
        "<|tool_response>) is missing in the decoded text. The special tokens <|start|>, <|message|> and others of "
        "gpt-oss are not left out.",
        cause="Tokens that end a generation, or that structure the turns of gpt-oss, are found by a list of names, and "
        "their kind is overridden. Tokens of the kind control are left out of the text, others are not.",
        fix="Obey the kinds in the file; or ask for special tokens to be shown.",
        field="decode",
        derive=around_decode(Place.BEFORE, 20, WithoutNamed),
        links=github(
            "ggml-org/llama.cpp/issues/23183",
            "ggml-org/llama.cpp/issues/9606",
            "ggml-org/llama.cpp/blob/master/src/llama-vocab.cpp",
        ),
        witness=lambda: toys.bpe(
            "a", "", more="<EOT>", added=(AddedToken(4, "<EOT>", special=False),), skip_special=True
        ).on("a<EOT>"),
    ),
    Quirk(
        name="hides_unknown_when_decoding",
        title="Decodes the unknown id to nothing",
        symptom="Unknown characters are missing from decoded text. SentencePiece decodes each as ⁇.",
        cause="The engine treats the unknown piece as a special token and leaves special tokens out of the text.",
        fix="Show the unknown piece as the original does, or say that it is left out.",
        field="decode",
        derive=around_decode(Place.BEFORE, 10, WithoutUnknown),
        witness=lambda: toys.spm("a b", skip_special=True).on("axb"),
    ),
    Quirk(
        name="hides_unused_when_decoding",
        title="Decodes unused pieces to nothing",
        symptom="The id of a piece that the file calls unused, such as a filler [PAD250046], decodes to nothing.",
        cause="The engine has a text for normal, user-defined, control, unknown and byte pieces only "
        "(llama_vocab::impl::token_to_piece).",
        fix="Decode an unused piece to its spelling, or say that it is left out.",
        field="decode",
        derive=around_decode(Place.BEFORE, 12, WithoutUnused),
        links=github("ggml-org/llama.cpp/blob/master/src/llama-vocab.cpp"),
        witness=lambda: toys.spm("a [P]", {"[P]": Kind.UNUSED}, suffix_ids=(4,)).on("a", add_special=True),
    ),
    Quirk(
        name="keeps_added_tokens_when_decoding",
        title="Decodes added tokens without the byte alphabet",
        symptom='Only added tokens that consist of certain Latin letters (DeepSeek has "õ") decode to another text.',
        cause="The engine decodes added tokens by their kind. The original decodes whatever the byte alphabet can "
        "spell.",
        fix="Decode added tokens like pieces where all their characters are in the byte alphabet.",
        field="decode",
        derive=Derived(
            Place.BEFORE,
            40,
            lambda behaviour: AddedAsText(behaviour.decode) if behaviour.byte_level else behaviour.decode,
        ),
        witness=lambda: toys.byte_bpe("", added=(AddedToken(3, "õ", special=False),)).on("õ"),
    ),
    Quirk(
        name="keeps_decoded_prefix_after_specials",
        title="Keeps the decoded space prefix after a special token",
        symptom="Decoded text begins with a space that the input did not have, but only after BOS or another "
        "special token.",
        cause="The engine removes the space only from the first id's text. After a special token, the first piece "
        "of the text is not the first id.",
        fix="Leave special tokens out first, then remove one space from the start of the decoded text.",
        field="decode",
        derive=around_decode(Place.BEFORE, 60, AfterSpecial),
        links=github("ggml-org/llama.cpp/pull/24008"),
        witness=lambda: toys.spm("a ▁ ▁a", space_prefix="always", strip_decoded_prefix=True, skip_special=True).on(
            "a", add_special=True
        ),
    ),
    Quirk(
        name="spells_byte_pieces_when_decoding",
        title="Decodes byte pieces to their spelling, such as <0x0A>",
        symptom="Decoded text shows <0x0A> for newlines and <0xF0><0x9F> for emoji.",
        cause="Byte pieces are not turned back into bytes.",
        fix="Join the bytes that the byte pieces represent, then decode them as UTF-8.",
        field="decode",
        derive=around_decode(Place.BEFORE, 50, BytesSpelled),
        witness=lambda: toys.spm("a b", byte_pieces=True).on("a\nb"),
    ),
)
