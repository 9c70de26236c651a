"""Ids to bytes.

Ids that the vocabulary does not have are left out, as in Hugging Face tokenizers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby

from tokparity.behaviour import Behaviour, Normalise
from tokparity.reference.byte_alphabet import BYTES, from_alphabet
from tokparity.reference.decode_stages import DecodeStage, InvalidBytes, apply
from tokparity.reference.decode_stages import WordPiece as WordPieceStage
from tokparity.reference.text import encode_text, replace_each_byte, replace_maximal
from tokparity.reference.wpm import CONTINUING, as_bert_spells
from tokparity.vocabulary import Kind, Vocabulary

UNKNOWN_SURFACE = " \u2047 "
"""What SentencePiece shows for an unknown id."""


@dataclass(frozen=True)
class DecodePieces:
    """SentencePiece's way: ▁ is a space, byte pieces are bytes, control pieces are nothing or spelled.

    The space that encoding added in front of the text is removed: one marker of the first piece that has a text. Where
    encoding removes extra spaces, all markers at the start are removed. `invalid_bytes` says what becomes of byte
    pieces that are not UTF-8. Each becomes U+FFFD (SentencePiece), or a whole run of them does (Hugging Face), or they
    stay (llama.cpp).
    Source: sentencepiece 0.2.1, `sentencepiece_processor.cc`.
    """

    invalid_bytes: InvalidBytes = "replaced"
    strips_all: bool = True
    """Where extra spaces are removed on encoding; else only one marker goes, as ever."""
    marker: str = ""
    """What represents a space; empty: what spaces become on encoding."""
    unknown_surface: str = UNKNOWN_SURFACE
    """What is shown for the unknown piece, where special tokens are left out."""
    denormalise: Normalise | None = None
    """What becomes of the whole text in the end."""

    def __call__(self, vocabulary: Vocabulary, behaviour: Behaviour, ids: Sequence[int]) -> bytes:
        found = self._decoded(vocabulary, behaviour, ids)
        return found if self.denormalise is None else encode_text(self.denormalise(replace_each_byte(found)))

    def _decoded(self, vocabulary: Vocabulary, behaviour: Behaviour, ids: Sequence[int]) -> bytes:
        out = bytearray()
        strips = behaviour.strip_decoded_prefix
        marker = (self.marker or behaviour.space_marker).encode()
        without_special = {Kind.CONTROL: b"", Kind.UNKNOWN: self.unknown_surface.encode()}
        kinds, pieces, size = vocabulary.kinds, vocabulary.pieces, len(vocabulary)
        shown = without_special if behaviour.skip_special else {}
        known = [i for i in ids if 0 <= i < size]
        if self.invalid_bytes == "run_replaced":
            # What is left out is left out first there, so that the bytes around it are one run.
            known = [i for i in known if shown.get(kinds[i], pieces[i])]
        byte_values = vocabulary.byte_values
        for is_byte, run in groupby(known, key=byte_values.__contains__):
            if is_byte:
                out += self._bytes(bytes([byte_values[i] for i in run]))
                continue
            for i in run:
                text = shown.get(kinds[i], pieces[i])
                if strips and not out and text.startswith(marker):
                    text = text.removeprefix(marker)
                    strips = behaviour.collapse_spaces and self.strips_all
                out += text.replace(marker, b" ")
        return bytes(out)

    def _bytes(self, data: bytes) -> bytes:
        text = replace_each_byte(data)
        if self.invalid_bytes == "run_replaced" and text.encode() != data:
            return ("\ufffd" * len(data)).encode()
        return data if self.invalid_bytes == "kept" else text.encode()


decode_pieces = DecodePieces()


def decode_byte_level(vocabulary: Vocabulary, behaviour: Behaviour, ids: Sequence[int]) -> bytes:
    """The bytes that the pieces spell in the byte alphabet.

    Added tokens are in the file as plain text. A token with a character outside the alphabet represents itself. A
    token without one (DeepSeek's "õ") is read in the alphabet like any piece. Source: tokenizers 0.23,
    `byte_level.rs`.
    """
    added, pieces = vocabulary.added_by_id, vocabulary.pieces
    known = _known(vocabulary, behaviour, ids)
    return b"".join([_of_added(added[i].content) if i in added else _of_piece(pieces[i]) for i in known])


def _of_added(text: str) -> bytes:
    return from_alphabet(text) if BYTES.keys() >= set(text) else text.encode()


@lru_cache(maxsize=1 << 16)
def _of_piece(piece: bytes) -> bytes:
    return from_alphabet(_text(piece))


def decode_byte_level_text(vocabulary: Vocabulary, behaviour: Behaviour, ids: Sequence[int]) -> bytes:
    """As `decode_byte_level`, for a library that gives text: what is not UTF-8 becomes U+FFFD (maximal subparts)."""
    return replace_maximal(decode_byte_level(vocabulary, behaviour, ids)).encode()


def decode_between_specials(vocabulary: Vocabulary, behaviour: Behaviour, ids: Sequence[int]) -> bytes:
    """As `decode_byte_level_text`, but the bytes between two special tokens are made text by themselves.

    So a character is broken even if the special token inside it is left out. Source: mistral-common 1.13, `tekken.py`.
    """
    out = bytearray()
    for is_special, run in groupby(ids, key=vocabulary.special_added.__contains__):
        whole = decode_byte_level if is_special else decode_byte_level_text
        out += whole(vocabulary, behaviour, list(run))
    return bytes(out)


def decode_wordpiece(vocabulary: Vocabulary, behaviour: Behaviour, ids: Sequence[int]) -> bytes:
    """BERT's way: spaces between words, none before a continuing piece, cleaned up if the behavior says so.

    In a GGUF, pieces that begin a word are marked instead of those that continue one; special tokens begin words.
    """
    tokens = [_text(vocabulary.pieces[i]) for i in _known(vocabulary, behaviour, ids)]
    if behaviour.word_prefix:
        whole = {token.content for token in vocabulary.added}
        mark = behaviour.word_prefix
        tokens = [token.removeprefix(mark) if token in whole else as_bert_spells(token, mark) for token in tokens]
    stage = WordPieceStage(behaviour.continuing_prefix or CONTINUING, behaviour.clean_up)
    return apply([stage], tokens).encode("utf-8", "surrogateescape")


@dataclass(frozen=True)
class HuggingFaceDecode:
    """A tokenizer.json's own decoders. Without any (None), tokens are joined with spaces.

    An added token that is matched in the normalized text has its spelling from there. So if normalizing changes it, it
    is no longer known as special, and not left out. Source: tokenizers 0.23, measured.
    """

    stages: tuple[DecodeStage, ...] | None

    def __call__(self, vocabulary: Vocabulary, behaviour: Behaviour, ids: Sequence[int]) -> bytes:
        hidden = vocabulary.special_contents if behaviour.skip_special else frozenset()
        pieces, kinds, size = vocabulary.pieces, vocabulary.kinds, len(vocabulary)
        known = [i for i in ids if 0 <= i < size and (pieces[i] or kinds[i] is not Kind.UNUSED)]
        tokens = [token for token in (_spelled(vocabulary, behaviour, i) for i in known) if token not in hidden]
        text = " ".join(tokens) if self.stages is None else apply(self.stages, tokens)
        if behaviour.strip_decoded_prefix:
            text = text.removeprefix(" ")
        return text.encode("utf-8", "surrogateescape")


def _spelled(vocabulary: Vocabulary, behaviour: Behaviour, i: int) -> str:
    token = vocabulary.added_by_id.get(i)
    if token is None:
        return _text(vocabulary.pieces[i])
    return behaviour.normalise(token.content) if token.normalized and behaviour.normalise else token.content


def _known(vocabulary: Vocabulary, behaviour: Behaviour, ids: Sequence[int]) -> list[int]:
    """The ids that have a piece, without those of special tokens if they are to be skipped."""
    special = vocabulary.special_added if behaviour.skip_special else frozenset()
    pieces, size = vocabulary.pieces, len(vocabulary)
    return [i for i in ids if 0 <= i < size and pieces[i] and i not in special]


def _text(piece: bytes) -> str:
    return piece.decode("utf-8", "surrogateescape")
