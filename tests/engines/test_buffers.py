"""Flat buffers: what goes in comes out, and comparing them finds exactly the cases that differ."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokparity.engines.buffers import (
    FlatBufferError,
    Ids,
    Texts,
    differing,
    ids_from_raw,
    raw_size,
    texts_from_raw,
    to_raw,
    valid_utf8,
)

TEXTS = st.lists(st.binary(max_size=6), max_size=8)
ROWS = st.lists(st.lists(st.integers(0, 2), max_size=4), max_size=8)


@given(TEXTS)
def test_texts_round_trip(texts: list[bytes]) -> None:
    """Lists, single texts and raw bytes all give the texts back."""
    flat = Texts.from_list(texts)
    assert texts == flat.to_list()
    assert texts == [flat[i] for i in range(len(flat))]
    raw = memoryview(b"".join(to_raw(flat)))
    assert raw_size(flat) == len(raw)
    again, end = texts_from_raw(raw)
    assert (texts, len(raw)) == (again.to_list(), end)


@given(ROWS)
def test_ids_round_trip(rows: list[list[int]]) -> None:
    """Lists, single lists and raw bytes all give the ids back."""
    flat = Ids.from_list(rows)
    assert rows == flat.to_list()
    assert rows == [flat[i].tolist() for i in range(len(flat))]
    raw = memoryview(b"".join(to_raw(flat)))
    assert raw_size(flat) == len(raw)
    again, end = ids_from_raw(raw)
    assert (rows, len(raw)) == (again.to_list(), end)


@given(TEXTS, ROWS, st.integers(0, 9), st.integers(0, 9))
def test_slices_and_concatenation(texts: list[bytes], rows: list[list[int]], start: int, stop: int) -> None:
    """A slice is the list's slice, and slices put together are the whole."""
    flat, ids = Texts.from_list(texts), Ids.from_list(rows)
    assert texts[start:stop] == flat.slice(start, stop).to_list()
    assert rows[start:stop] == ids.slice(start, stop).to_list()
    assert texts == Texts.concat([flat.slice(0, start), flat.slice(start, len(flat))]).to_list()
    assert rows == Ids.concat([ids.slice(0, start), ids.slice(start, len(ids))]).to_list()
    assert [] == Ids.concat([]).to_list()


@given(st.data(), ROWS)
def test_differing_finds_exactly_the_cases_that_differ(data: st.DataObject, rows: list[list[int]]) -> None:
    """The same as comparing one by one, whatever the lengths."""
    row = st.lists(st.integers(0, 2), max_size=4)
    others = [data.draw(st.one_of(st.just(ours), row)) for ours in rows]
    expected = [i for i, (a, b) in enumerate(zip(rows, others, strict=True)) if a != b]
    assert expected == differing(Ids.from_list(rows), Ids.from_list(others)).tolist()
    texts, theirs = [bytes(ours) for ours in rows], [bytes(other) for other in others]
    assert expected == differing(Texts.from_list(texts), Texts.from_list(theirs)).tolist()


def test_differing_needs_equally_many_cases() -> None:
    """Batches of different length are no comparison."""
    with pytest.raises(FlatBufferError, match="1 cases cannot be compared with 2"):
        differing(Ids.from_list([[1]]), Ids.from_list([[1], [2]]))


@given(ROWS, st.lists(st.integers(0, 9), max_size=2), st.lists(st.integers(0, 9), max_size=2))
def test_wrapped(rows: list[list[int]], prefix: list[int], suffix: list[int]) -> None:
    """Each list gets the prefix and the suffix, empty lists too."""
    assert [[*prefix, *row, *suffix] for row in rows] == Ids.from_list(rows).wrapped(prefix, suffix).to_list()


@given(
    st.lists(st.one_of(st.binary(max_size=3), st.text(max_size=3).map(lambda text: text.encode("utf-8", "replace"))))
)
def test_valid_utf8(texts: list[bytes]) -> None:
    """The same as decoding one by one; halves of one character side by side are not valid."""
    expected = []
    for text in texts:
        try:
            text.decode()
        except UnicodeDecodeError:
            expected.append(False)
        else:
            expected.append(True)
    assert expected == valid_utf8(Texts.from_list(texts)).tolist()
    assert [False, False] == valid_utf8(Texts.from_list([b"\xc3", b"\xa9"])).tolist()


@pytest.mark.parametrize("offsets", [[0, 2], [1, 3], [0, 5, 3], [0, -1, 3], []])
def test_offsets_that_do_not_fit_are_refused(offsets: list[int]) -> None:
    """Offsets start at 0, never fall and end at the data's end."""
    array = np.array(offsets, dtype=np.int64)
    with pytest.raises(FlatBufferError):
        Texts(b"abc", array)
    with pytest.raises(FlatBufferError):
        Ids(np.zeros(3, dtype=np.int32), array)


def test_ids_beyond_32_bits_are_refused() -> None:
    """An id is never cut to fit."""
    with pytest.raises(OverflowError):
        Ids.from_list([[1 << 31]])
    with pytest.raises(FlatBufferError, match="int64"):
        Ids(np.zeros(1, dtype=np.int64), np.array([0, 1]))


@pytest.mark.parametrize("raw", [b"", b"\xff" * 16, b"\xff" * 64, (1).to_bytes(8, "little") + bytes(8)])
def test_raw_bytes_that_lie_are_refused(raw: bytes) -> None:
    """A buffer that claims more than there is allocates nothing."""
    with pytest.raises(FlatBufferError):
        ids_from_raw(memoryview(raw))
    with pytest.raises(FlatBufferError):
        texts_from_raw(memoryview(raw))
