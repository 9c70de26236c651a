"""Quirks of classes of transformers, which change what the model's own tokenizer.json decodes to."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tokparity.behaviour import Behaviour, Decode
from tokparity.quirk import Place, Quirk, github
from tokparity.quirks import toys
from tokparity.quirks.added_tokens import GEMMA, MASK, MASK_CAUSE, MASK_FIX
from tokparity.quirks.changed_stages import around_decode
from tokparity.quirks.decoded_text import Changed
from tokparity.vocabulary import Vocabulary


@dataclass(frozen=True)
class SuffixAsSpace:
    """Decodes as before, then writes a space for each end_of_word_suffix and strips the text."""

    inner: Decode

    def __call__(self, vocabulary: Vocabulary, behaviour: Behaviour, ids: Sequence[int]) -> bytes:
        text = self.inner(vocabulary, behaviour, ids).decode("utf-8", "surrogateescape")
        if behaviour.word_suffix:
            text = text.replace(behaviour.word_suffix, " ").strip()
        return text.encode("utf-8", "surrogateescape")


@dataclass(frozen=True)
class WithoutMask:
    """Decodes as before; where special tokens are left out, <mask> is as well."""

    inner: Decode

    def __call__(self, vocabulary: Vocabulary, behaviour: Behaviour, ids: Sequence[int]) -> bytes:
        if behaviour.skip_special:
            mask = {token.id for token in vocabulary.added if token.content == MASK.content}
            ids = [i for i in ids if i not in mask]
        return self.inner(vocabulary, behaviour, ids)


def without_timestamps(text: bytes) -> bytes:
    """The text without what is spelled as a time of Whisper, whether or not it was a token."""
    kept = re.sub(r"<\|\d+\.\d+\|>", "", text.decode("utf-8", "surrogateescape"))
    return kept.encode("utf-8", "surrogateescape")


QUIRKS = (
    Quirk(
        name="hides_mask_when_decoding",
        title="Leaves <mask> out of decoded text",
        symptom="Decoded text without special tokens lacks <mask>, which is not special in the file.",
        cause=MASK_CAUSE,
        fix=MASK_FIX,
        field="decode",
        derive=around_decode(Place.BEFORE, 25, WithoutMask),
        links=GEMMA,
        witness=lambda: toys.bpe("a", "", more="<mask>", added=(MASK,), skip_special=True).on("a<mask>"),
    ),
    Quirk(
        name="removes_timestamps_when_decoding",
        title="Removes <|1.23|> from decoded text",
        symptom="Decoded text lacks everything that looks like a time stamp (<|0.00|>, <|123.456|>), even if it is "
        "not a token.",
        cause="WhisperTokenizer of transformers removes all that matches <\\|\\d+\\.\\d+\\|> from decoded text.",
        fix="Give decode the argument decode_with_timestamps=True, or decode with the tokenizers library.",
        field="decode",
        derive=around_decode(Place.AFTER, 50, lambda decode: Changed(decode, without_timestamps)),
        links=github("huggingface/transformers/blob/main/src/transformers/models/whisper/tokenization_whisper.py"),
        witness=lambda: toys.byte_bpe("a+b").on("a<|1.1|>b"),
    ),
    Quirk(
        name="decodes_word_suffix_as_space",
        title="Decodes the end_of_word_suffix as a space and strips the text",
        symptom="Decoded text has spaces where the model's own decoder writes </w>, and no spaces at its ends.",
        cause="CLIPTokenizer of transformers replaces the suffix after the decoder of tokenizer.json has run.",
        fix="Nothing, if you want spaces. To get </w>, decode with the tokenizers library.",
        field="decode",
        derive=around_decode(Place.AFTER, 60, SuffixAsSpace),
        links=github("huggingface/transformers/blob/main/src/transformers/models/clip/tokenization_clip.py"),
        witness=lambda: toys.byte_bpe("a+b</w>", words=("b</w>",), word_suffix="</w>").on("ab"),
    ),
)
