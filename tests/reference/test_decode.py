"""Decoders against those of the tokenizers library, and SentencePiece's rules."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tokenizers import Regex
from tokenizers import decoders as library

from tokparity.behaviour import Behaviour
from tokparity.reference import decode_stages as stages
from tokparity.reference.decode import (
    DecodePieces,
    HuggingFaceDecode,
    decode_byte_level,
    decode_pieces,
    decode_wordpiece,
)
from tokparity.reference.decode_stages import DecodeStage
from tokparity.reference.specials import leftmost_longest
from tokparity.reference.text import replace_each_byte
from tokparity.reference.word_level import word_level
from tokparity.vocabulary import AddedToken, Kind, Vocabulary

TOKENS = [
    *("a", "▁a", "▁", "▁▁b", "##c", "##", "Ġd", "ä", "½", "</w>", "e</w>", " ", ".", "n't", " 's", "|", "<pad>", "é"),
    *("<0xE4>", "<0xBD>", "<0xA0>", "<0x41>", "<0xzz>", "中", "Ċ", "x y", " do not"),
]
PAIRS: list[tuple[Any, DecodeStage]] = [
    (library.BPEDecoder(suffix="</w>"), stages.Bpe("</w>")),
    (library.ByteLevel(), stages.ByteLevel()),
    (library.WordPiece(), stages.WordPiece()),
    (library.WordPiece(prefix="▁", cleanup=False), stages.WordPiece("▁", False)),
    (library.Metaspace(), stages.Metaspace()),
    (library.Metaspace(prepend_scheme="never"), stages.Metaspace("▁", False)),
    (library.CTC(), stages.Ctc()),
    (library.CTC(cleanup=False), stages.Ctc(cleanup=False)),
    (library.Fuse(), stages.Fuse()),
    (library.ByteFallback(), stages.ByteFallback()),
    (library.Strip("a", 1, 0), stages.Strip("a", 1, 0)),
    (library.Strip(" ", 2, 1), stages.Strip(" ", 2, 1)),
    (library.Replace("▁", " "), stages.Replace("▁", " ")),
    (library.Replace(Regex(r"\s+"), "_"), stages.Replace(r"\s+", "_", False)),
]


@pytest.mark.parametrize(("theirs", "ours"), PAIRS, ids=lambda value: str(value)[:40])
@settings(max_examples=60, deadline=None)
@given(tokens=st.lists(st.sampled_from(TOKENS), min_size=1, max_size=6))
def test_equals_the_library(theirs: Any, ours: DecodeStage, tokens: list[str]) -> None:
    """A decoder gives what the library's gives, except on a token that is all strippable, where the library panics."""
    assume(not isinstance(ours, stages.Strip) or all(token.strip(ours.character) for token in tokens))
    assert theirs.decode(tokens) == stages.apply([ours], tokens)


def _behaviour(**fields: Any) -> Behaviour:
    return Behaviour(
        segment=word_level,
        decode=decode_pieces,
        decode_text=replace_each_byte,
        match_added=leftmost_longest,
        **fields,
    )


PIECES = Vocabulary(
    (b"<unk>", b"<s>", "▁a".encode(), b"b", b"<0xE4>", b"<0x41>", "Ġd".encode(), "▁word".encode()),
    (Kind.UNKNOWN, Kind.CONTROL, Kind.NORMAL, Kind.NORMAL, Kind.BYTE, Kind.BYTE, Kind.NORMAL, Kind.NORMAL),
    added=(AddedToken(0, "<unk>"), AddedToken(1, "<s>")),
    special={"unk": 0},
)


@pytest.mark.parametrize(
    ("ids", "skip", "expected"),
    [
        ([1, 2, 3, 2], False, b"<s> ab a"),
        ([1, 2, 3, 2], True, b"ab a"),
        ([2, 2], True, b"a a"),
        ([0, 2], True, " \u2047  a".encode()),
        ([2, 4, 5], True, "a\ufffdA".encode()),
        ([99, -1, 3], True, b"b"),
    ],
)
def test_pieces(ids: list[int], skip: bool, expected: bytes) -> None:
    """SentencePiece's rules: markers, one leading space, control pieces, bytes that are not UTF-8, unknown ids."""
    behaviour = _behaviour(space_marker="▁", strip_decoded_prefix=True, skip_special=skip)
    assert expected == decode_pieces(PIECES, behaviour, ids)


def test_pieces_with_bytes_kept() -> None:
    """llama.cpp gives bytes that are not UTF-8 as they are."""
    assert b"\xe4A" == DecodePieces(invalid_bytes="kept")(PIECES, _behaviour(space_marker="▁"), [4, 5])


def test_byte_level_and_wordpiece() -> None:
    """The alphabet is read back; GGUF's marked words get spaces; special tokens stand for themselves."""
    assert b"<s> d" == decode_byte_level(PIECES, _behaviour(), [1, 6])
    behaviour = _behaviour(word_prefix="▁")
    assert b"wordb word <s>" == decode_wordpiece(PIECES, behaviour, [7, 3, 7, 1])


def test_no_decoder_joins_with_spaces() -> None:
    """Without a decoder the library puts spaces between tokens."""
    assert "▁a b".encode() == HuggingFaceDecode(None)(PIECES, _behaviour(skip_special=True), [1, 2, 3])
