"""Puts a space before the first word, too, when decoding."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tokparity.behaviour import Behaviour, Decode
from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.quirks.changed_stages import decodes_with
from tokparity.reference.decode import HuggingFaceDecode, decode_wordpiece
from tokparity.reference.decode_stages import WordPiece
from tokparity.vocabulary import Vocabulary


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


QUIRK = Quirk(
    name="keeps_space_before_first_word",
    title="Puts a space before the first word, too, when decoding",
    symptom="Decoded text of a WordPiece model begins with a space.",
    cause=(
        "Pieces that begin a word are stored with a marker for the space before them (▁, in a GGUF), and the first one "
        "of a text is decoded like the others."
    ),
    fix="Put spaces between words, not before them.",
    field="decode",
    derive=decodes_with(_with_first_space),
    links=("https://github.com/ggml-org/llama.cpp/blob/master/src/llama-vocab.cpp",),
    witness=lambda: toys.wordpiece("a").on("a"),
)
