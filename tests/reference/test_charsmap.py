"""The precompiled charsmap, against SentencePiece's own normalizer."""

from __future__ import annotations

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sentencepiece import SentencePieceNormalizer

from tokparity.errors import FormatError
from tokparity.reference.charsmap import Charsmap

ALONE = {"add_dummy_prefix": False, "escape_whitespaces": False, "remove_extra_whitespaces": False}
NMT_NFKC = SentencePieceNormalizer(rule_name="nmt_nfkc", **ALONE)


def charsmap_of(name: str) -> Charsmap:
    """The charsmap that SentencePiece ships for a rule."""
    from sentencepiece import sentencepiece_model_pb2

    model = sentencepiece_model_pb2.ModelProto()
    model.ParseFromString(SentencePieceNormalizer(rule_name=name).serialized_model_proto())
    return Charsmap(model.normalizer_spec.precompiled_charsmap)


CHARSMAP = charsmap_of("nmt_nfkc")


@given(st.text(max_size=20))
def test_equal_to_sentencepiece(text: str) -> None:
    """Any text: the charsmap alone, without any treatment of spaces, gives what SentencePiece gives."""
    assert NMT_NFKC.normalize(text) == CHARSMAP(text)


def test_every_key() -> None:
    """Each key alone, and between two letters, becomes its replacement."""
    keys = list(CHARSMAP.table)
    assert NMT_NFKC.normalize("|".join(keys)) == CHARSMAP("|".join(keys))
    assert 100_000 < len(keys)


def test_units_of_a_real_charsmap() -> None:
    """Four bytes each, of as many as the number in front says."""
    assert int.from_bytes(CHARSMAP.blob[:4], "little") == 4 * CHARSMAP.units
    assert 40_000 < CHARSMAP.units


def test_kept_pieces_pass_through() -> None:
    """A user-defined piece is not normalized, wherever it stands."""
    assert "1½1⁄2" == Charsmap(CHARSMAP.blob, keep=("½",))("①½") + CHARSMAP("½")


def test_invalid_bytes_become_replacement_characters() -> None:
    """A kept invalid byte is U+FFFD, while a U+FFFD in the text is a space to nmt_nfkc."""
    assert "a\ufffdb" == CHARSMAP("a\udcffb")
    assert "a b" == CHARSMAP("a\ufffdb")


@pytest.mark.parametrize(
    "blob",
    [b"", b"\x10", struct.pack("<I", 400) + bytes(8), struct.pack("<I", 3) + bytes(8)],
    ids=["empty", "cut in its length", "longer than the blob", "no whole number of units"],
)
def test_damaged_sizes_are_errors(blob: bytes) -> None:
    """A size that cannot be true is named."""
    with pytest.raises(FormatError, match="precompiled charsmap"):
        Charsmap(blob)("text")


def test_a_pointer_out_of_the_replacements_is_an_error() -> None:
    """A value that points behind the replacements is named, not followed."""
    root, child, value = 1 << 10, ord("a") | 1 << 8 | 1 << 10, 1 << 31 | 1000
    units = [root] + [0] * 255
    units[1 ^ ord("a")] = child
    units[1 ^ ord("a") ^ 1] = value
    with pytest.raises(FormatError, match="byte 1000"):
        Charsmap(struct.pack("<I", 1024) + struct.pack("<256I", *units) + b"x\0")("a")
