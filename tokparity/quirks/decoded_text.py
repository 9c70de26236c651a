"""Quirks of the text that decoding gives."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from tokparity.behaviour import Behaviour, Decode
from tokparity.quirk import Place, Quirk, github
from tokparity.quirks import toys
from tokparity.quirks.changed_stages import around_decode, decodes_with
from tokparity.quirks.given_text import without_mark
from tokparity.reference import splits
from tokparity.reference.decode import (
    DecodePieces,
    HuggingFaceDecode,
    decode_between_specials,
    decode_byte_level,
    decode_byte_level_text,
)
from tokparity.reference.decode_stages import CLEAN_UP, ByteFallback, ByteLevel, Ctc, DecodeStage, WordPiece, clean_up
from tokparity.reference.text import keep_bytes
from tokparity.vocabulary import Vocabulary

_SPACES = tuple(rule for rule in CLEAN_UP if "n't" not in rule[1])
"""The rules but for those about negations, which llama.cpp does not have."""


def as_spelled(vocabulary: Vocabulary, behaviour: Behaviour, ids: Sequence[int]) -> bytes:
    """The pieces as the vocabulary spells them."""
    return b"".join(vocabulary.pieces[i] for i in ids)


def cleaned_up(text: bytes) -> bytes:
    """The whole text without spaces before punctuation; "do not" and "is n't" stay."""
    return clean_up(text.decode("utf-8", "surrogateescape"), _SPACES).encode("utf-8", "surrogateescape")


@dataclass(frozen=True)
class Changed:
    """Decodes as before, then changes the text."""

    inner: Decode
    change: Callable[[bytes], bytes]

    def __call__(self, vocabulary: Vocabulary, behaviour: Behaviour, ids: Sequence[int]) -> bytes:
        return self.change(self.inner(vocabulary, behaviour, ids))


@dataclass(frozen=True)
class EachAlone:
    """Decodes as before, but one id at a time, each to a text of its own."""

    inner: Decode

    def __call__(self, vocabulary: Vocabulary, behaviour: Behaviour, ids: Sequence[int]) -> bytes:
        texts = (self.inner(vocabulary, behaviour, [i]).decode("utf-8", "replace") for i in ids)
        return "".join(texts).encode()


def raw(decode: Decode) -> Decode:
    """Return decoded bytes as they are, where `decode` makes valid text of them."""
    if isinstance(decode, DecodePieces):
        return replace(decode, invalid_bytes="kept")
    if isinstance(decode, HuggingFaceDecode):
        return replace(decode, stages=decode.stages and tuple(_raw_stage(stage) for stage in decode.stages))
    return decode_byte_level if decode in (decode_between_specials, decode_byte_level_text) else decode


def _raw_stage(stage: DecodeStage) -> DecodeStage:
    return replace(stage, invalid_bytes="kept") if isinstance(stage, ByteLevel | ByteFallback) else stage


def uncleaned(decode: Decode) -> Decode:
    """What keeps the spaces before punctuation, where `decode` has a stage that leaves them out."""
    if not isinstance(decode, HuggingFaceDecode):
        return decode
    return replace(decode, stages=decode.stages and tuple(_uncleaned_stage(stage) for stage in decode.stages))


def _uncleaned_stage(stage: DecodeStage) -> DecodeStage:
    return replace(stage, cleanup=False) if isinstance(stage, WordPiece | Ctc) else stage


def whole_runs(decode: Decode) -> Decode:
    """What replaces whole runs of invalid bytes where `decode` replaces single bytes."""
    return replace(decode, invalid_bytes="run_replaced") if isinstance(decode, DecodePieces) else decode


def one_space(decode: Decode) -> Decode:
    """What takes one space away where `decode` takes all."""
    return replace(decode, strips_all=False) if isinstance(decode, DecodePieces) else decode


QUIRKS = (
    Quirk(
        name="keeps_decoded_prefix",
        title="Leaves the space prefix in decoded text",
        symptom="Decoded text begins with a space that the input did not have.",
        cause="The space that encoding added in front of the text is not removed again.",
        fix="Remove one space from the start of the decoded text where the tokenizer added one.",
        field="strip_decoded_prefix",
        value=False,
        links=github("huggingface/swift-transformers/pull/345"),
        witness=lambda: toys.spm("a ▁ ▁a", space_prefix="always", strip_decoded_prefix=True).on("a"),
    ),
    Quirk(
        name="strips_decoded_space",
        title="Removes a space from the start of decoded text",
        symptom="Text that is decoded in parts loses the spaces between the parts.",
        cause="The first space is removed although the tokenizer added none, or although the text does not start "
        "there.",
        fix="Remove the first space only where the tokenizer added one.",
        field="strip_decoded_prefix",
        value=True,
        links=github("huggingface/transformers/issues/22710"),
        witness=lambda: toys.spm("a ▁ ▁a").on(" a"),
    ),
    Quirk(
        name="strips_one_decoded_space",
        title="Removes only one space from the start of decoded text",
        symptom="Decoded text begins with a space where the ids begin with several markers.",
        cause="The decoder is Strip with start = 1, whether the model removes extra spaces on encoding or not.",
        fix="Where the model removes extra spaces, take away the markers of all pieces at the start.",
        field="decode",
        derive=decodes_with(30, one_space),
        links=github("google/sentencepiece/blob/master/src/sentencepiece_processor.cc"),
        witness=lambda: toys.spm("a ▁", space_prefix="always", collapse_spaces=True, strip_decoded_prefix=True).on(
            "▁a"
        ),
    ),
    Quirk(
        name="keeps_spaces_before_punctuation",
        title="Keeps spaces before punctuation when decoding",
        symptom="Decoded text of a WordPiece model has a space before each full stop and comma.",
        cause="clean_up_tokenization_spaces is off, or the decoder's own clean-up is not done.",
        fix="Clean up where the model's decoder does.",
        field="clean_up",
        value=False,
        links=github("huggingface/transformers/pull/42916"),
        witness=lambda: toys.wordpiece("a !", clean_up=True, pretokenise=splits.Bert()).on("a !"),
    ),
    Quirk(
        name="cleans_up_spaces",
        title="Removes spaces before punctuation when decoding",
        symptom="Decoded text lacks spaces before punctuation: x != y becomes x!= y, and quotes join the word before "
        "them.",
        cause="clean_up_tokenization_spaces is on, a default from the time of BERT.",
        fix="Clean up only where the model's own tokenizer does (clean_up_tokenization_spaces).",
        field="decode",
        derive=around_decode(Place.AFTER, 10, lambda decode: Changed(decode, cleaned_up)),
        links=github(
            "huggingface/transformers/issues/31187",
            "huggingface/transformers/issues/35175",
            "huggingface/transformers/issues/32575",
            "ggml-org/llama.cpp/pull/28472",
        ),
        witness=lambda: toys.spm("a ▁ ▁! !").on("a !"),
    ),
    Quirk(
        name="leaves_marker_in_decoded_text",
        title="Leaves ▁ or Ġ in decoded text",
        symptom="Decoded text shows ▁ or Ġ where it should have spaces.",
        cause="Pieces are joined as they are spelled in the vocabulary.",
        fix="Turn the marker back into a space (or map the byte alphabet back to bytes).",
        field="decode",
        value=as_spelled,
        links=github("ggml-org/llama.cpp/issues/2743"),
        witness=lambda: toys.spm("a ▁ ▁a").on("a a"),
    ),
    Quirk(
        name="leaves_broken_utf8_when_decoding",
        title="Returns broken UTF-8 when decoding, instead of U+FFFD",
        symptom="Ids that end inside a character decode to bytes that are not UTF-8. So do ids of a model that lacks "
        "some bytes.",
        cause="The engine joins the bytes of the pieces and returns them, for a caller who joins a stream.",
        fix="None is needed in a stream; a whole text has to be made valid at its end.",
        field="decode",
        derive=decodes_with(10, raw),
        witness=lambda: toys.byte_bpe("", decode=decode_byte_level_text, decode_text=keep_bytes).on(b"\xc3"),
    ),
    Quirk(
        name="replaces_whole_byte_runs_when_decoding",
        title="Replaces a whole run of bytes by U+FFFD when decoding",
        symptom="Valid characters that are spelled in byte pieces are lost next to an invalid byte.",
        cause="The engine decodes the bytes of a run together. If that fails, each byte becomes U+FFFD.",
        fix="Replace only the bytes that are not UTF-8.",
        field="decode",
        derive=decodes_with(20, whole_runs),
        links=github("huggingface/tokenizers/blob/main/tokenizers/src/decoders/byte_fallback.rs"),
        witness=lambda: toys.spm("a b", byte_pieces=True, decode_text=keep_bytes).on(b"\xc3!"),
    ),
    Quirk(
        name="drops_decoded_byte_order_mark",
        title="Drops a byte order mark when decoding",
        symptom="A U+FEFF at the start of the decoded text is missing.",
        cause="The bytes are decoded by JavaScript's TextDecoder, which takes the mark away, or as utf-8-sig.",
        fix="Give TextDecoder { ignoreBOM: true }, which keeps the mark; decode as plain UTF-8.",
        field="decode",
        derive=around_decode(Place.AFTER, 40, lambda decode: Changed(decode, without_mark)),
        links=("https://encoding.spec.whatwg.org/#interface-textdecoder",),
        witness=lambda: toys.byte_bpe("a+b").on("\ufeffa"),
    ),
    Quirk(
        name="decodes_each_id_alone",
        title="Decodes each id on its own and joins the texts",
        symptom="Characters whose bytes are in several tokens (emoji, Chinese) become U+FFFD. Spaces between words "
        "are lost.",
        cause="A streaming decoder turns each id into text as it comes, with what decoding does at the start and the "
        "end of a text.",
        fix="Keep bytes until they are whole characters, and decode with the ids that came before.",
        field="decode",
        derive=around_decode(Place.AFTER, 30, EachAlone),
        links=github("huggingface/transformers/issues/22710", "ggml-org/llama.cpp/pull/5935"),
        witness=lambda: toys.byte_bpe("Ġ+a").on("é"),
    ),
)
