"""Flat buffers: many texts, or many lists of ids, as one stretch of data and the offsets between them.

They travel between processes without Python work per case, and batches compare as arrays.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from tokparity.errors import TokparityError
from tokparity.questions.json_text import is_utf8

Int64s: TypeAlias = NDArray[np.int64]
Int32s: TypeAlias = NDArray[np.int32]

_HEADER = struct.Struct("<QQ")
"""Raw form of a buffer: number of cases, bytes of data; the offsets (int64); the data, filled up to 8 bytes."""


class FlatBufferError(TokparityError):
    """A buffer whose offsets do not fit its data: an engine's wrong answer, or bytes that are not a buffer."""


def _offsets(lengths: Sequence[int] | Int64s) -> Int64s:
    offsets = np.zeros(len(lengths) + 1, dtype=np.int64)
    np.cumsum(lengths, out=offsets[1:])
    return offsets


def _check(offsets: Int64s, size: int, what: str) -> None:
    """Raise unless the offsets start at 0, never fall and end at `size`."""
    if offsets.dtype != np.int64 or offsets.ndim != 1 or not len(offsets):
        raise FlatBufferError(
            f"offsets of {what} are {offsets.dtype} of shape {offsets.shape}, not int64 of shape (n+1,)"
        )
    if offsets[0] != 0 or offsets[-1] != size or bool((offsets[1:] < offsets[:-1]).any()):
        raise FlatBufferError(f"offsets of {what} go from {offsets[0]} to {offsets[-1]} over {size} items, or fall")


@dataclass(frozen=True, eq=False)
class Texts:
    """n texts: text i is `data[offsets[i]:offsets[i + 1]]`; `data` is bytes, `offsets` int64 of length n + 1."""

    data: bytes
    offsets: Int64s

    def __post_init__(self) -> None:
        self.check()

    def check(self) -> None:
        """FlatBufferError unless the offsets fit the data, however it was made."""
        _check(self.offsets, len(self.data), "texts")

    @classmethod
    def from_list(cls, texts: Sequence[bytes]) -> Texts:
        """The texts one after another."""
        return cls(b"".join(texts), _offsets([len(text) for text in texts]))

    @classmethod
    def concat(cls, parts: Sequence[Texts]) -> Texts:
        """All texts of all parts, in order."""
        return cls(b"".join(part.data for part in parts), _joined(parts))

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, i: int) -> bytes:
        i = range(len(self))[i]
        return self.data[self.offsets[i] : self.offsets[i + 1]]

    def slice(self, start: int, stop: int) -> Texts:
        """Texts start to stop, copied."""
        start, stop, _ = slice(start, stop).indices(len(self))
        offsets = self.offsets[start : max(start, stop) + 1]
        return Texts(self.data[offsets[0] : offsets[-1]], offsets - offsets[0])

    def to_list(self) -> list[bytes]:
        """The texts as bytes."""
        return [self.data[a:b] for a, b in pairwise(self.offsets.tolist())]

    def to_strs(self) -> list[str]:
        """The texts as str; raises UnicodeDecodeError where one is not UTF-8 (see `valid_utf8`)."""
        return [str(self.data[a:b], "utf-8") for a, b in pairwise(self.offsets.tolist())]

    @property
    def flat(self) -> NDArray[np.uint8]:
        """The data as an array, without a copy."""
        return np.frombuffer(self.data, dtype=np.uint8)


@dataclass(frozen=True, eq=False)
class Ids:
    """n lists of ids: list i is `data[offsets[i]:offsets[i + 1]]`; int32 `data`, int64 `offsets` of length n + 1."""

    data: Int32s
    offsets: Int64s

    def __post_init__(self) -> None:
        self.check()

    def check(self) -> None:
        """FlatBufferError unless the offsets fit the data, however it was made."""
        if self.data.dtype != np.int32 or self.data.ndim != 1:
            raise FlatBufferError(f"ids are {self.data.dtype} of shape {self.data.shape}, not int32 of shape (n,)")
        _check(self.offsets, len(self.data), "ids")

    @classmethod
    def from_list(cls, rows: Iterable[Sequence[int]]) -> Ids:
        """The lists one after another; raises OverflowError where an id does not fit 32 bits."""
        rows = list(rows)
        offsets = _offsets([len(row) for row in rows])
        return cls(np.fromiter(chain.from_iterable(rows), dtype=np.int32, count=int(offsets[-1])), offsets)

    @classmethod
    def concat(cls, parts: Sequence[Ids]) -> Ids:
        """All lists of all parts, in order."""
        data = [part.data for part in parts] or [np.empty(0, dtype=np.int32)]
        return cls(np.concatenate(data), _joined(parts))

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, i: int) -> Int32s:
        i = range(len(self))[i]
        return self.data[self.offsets[i] : self.offsets[i + 1]]

    def slice(self, start: int, stop: int) -> Ids:
        """Lists start to stop; the data is shared, not copied."""
        start, stop, _ = slice(start, stop).indices(len(self))
        offsets = self.offsets[start : max(start, stop) + 1]
        return Ids(self.data[offsets[0] : offsets[-1]], offsets - offsets[0])

    def to_list(self) -> list[list[int]]:
        """The ids as lists of int."""
        data = self.data.tolist()
        return [data[a:b] for a, b in pairwise(self.offsets.tolist())]

    def wrapped(self, prefix: Sequence[int], suffix: Sequence[int]) -> Ids:
        """Each list with `prefix` before and `suffix` after it."""
        if not prefix and not suffix:
            return self
        before, after = len(prefix), len(suffix)
        shifts = np.arange(len(self) + 1, dtype=np.int64) * (before + after)
        offsets = self.offsets + shifts
        data = np.empty(int(offsets[-1]), dtype=np.int32)
        data[np.arange(len(self.data)) + np.repeat(shifts[:-1] + before, np.diff(self.offsets))] = self.data
        for j, value in enumerate(prefix):
            data[offsets[:-1] + j] = value
        for j, value in enumerate(suffix):
            data[offsets[1:] - after + j] = value
        return Ids(data, offsets)

    @property
    def flat(self) -> Int32s:
        """The data as an array."""
        return self.data


Flat = TypeVar("Flat", Texts, Ids)


def _joined(parts: Sequence[Texts] | Sequence[Ids]) -> Int64s:
    """The offsets of all parts put one after another."""
    if not parts:
        return np.zeros(1, dtype=np.int64)
    return _offsets(np.concatenate([np.diff(part.offsets) for part in parts]))


def differing(a: Flat, b: Flat) -> Int64s:
    """The indices of the cases in which a and b differ, ascending; no Python work per case.

    Raises FlatBufferError where a and b do not hold equally many cases.
    """
    if len(a) != len(b):
        raise FlatBufferError(f"{len(a)} cases cannot be compared with {len(b)}")
    if np.array_equal(a.offsets, b.offsets):
        at = np.flatnonzero(a.flat != b.flat)
        return np.unique(np.searchsorted(a.offsets, at, side="right") - 1) if len(at) else np.empty(0, np.int64)
    lengths, others = np.diff(a.offsets), np.diff(b.offsets)
    same = lengths == others
    ours = a.flat[np.repeat(same, lengths)]
    theirs = b.flat[np.repeat(same, others)]
    cases = np.repeat(np.flatnonzero(same), lengths[same])
    return np.union1d(np.flatnonzero(~same), cases[ours != theirs])


def valid_utf8(texts: Texts) -> NDArray[np.bool_]:
    """For each text, whether it is UTF-8; quick where all are."""
    try:
        texts.data.decode("utf-8")
    except UnicodeDecodeError:
        pass
    else:
        inner = texts.offsets[(texts.offsets > 0) & (texts.offsets < len(texts.data))]
        # A text that starts with a continuation byte shows that a character was cut.
        if not bool((texts.flat[inner] & 0xC0 == 0x80).any()):
            return np.ones(len(texts), dtype=np.bool_)
    return np.array([is_utf8(text) for text in texts.to_list()], dtype=np.bool_)


def to_raw(flat: Texts | Ids) -> list[memoryview]:
    """The raw form of a buffer, as pieces to be written one after another."""
    data = _bytes_of(flat.flat)
    header = _HEADER.pack(len(flat), len(data))
    offsets = _bytes_of(flat.offsets)
    return [memoryview(header), offsets, data, memoryview(bytes(-len(data) % 8))]


def _bytes_of(array: NDArray[Any]) -> memoryview:
    """An array's memory, without a copy where it lies in one piece."""
    return np.ascontiguousarray(array).view(np.uint8).data


def raw_size(flat: Texts | Ids) -> int:
    """Bytes in the raw form."""
    data = len(flat.data) * (4 if isinstance(flat, Ids) else 1)
    return _HEADER.size + flat.offsets.nbytes + data + -data % 8


def texts_from_raw(raw: memoryview) -> tuple[Texts, int]:
    """Texts from their raw form, and how many bytes of it they took."""
    offsets, data, end = _parts(raw)
    return Texts(bytes(data), offsets), end


def ids_from_raw(raw: memoryview) -> tuple[Ids, int]:
    """Return the ids that a raw buffer holds, sharing its memory, and how many of its bytes they took."""
    offsets, data, end = _parts(raw)
    if len(data) % 4:
        raise FlatBufferError(f"{len(data)} bytes of ids are not a multiple of 4")
    return Ids(np.frombuffer(data, dtype=np.int32), offsets), end


def _parts(raw: memoryview) -> tuple[Int64s, memoryview, int]:
    if len(raw) < _HEADER.size:
        raise FlatBufferError(f"a buffer of {len(raw)} bytes is shorter than its header")
    count, size = _HEADER.unpack_from(raw)
    start = _HEADER.size + (count + 1) * 8
    end = start + size + -size % 8
    if end > len(raw):
        raise FlatBufferError(f"a buffer of {len(raw)} bytes claims {count} cases and {size} bytes of data")
    offsets = np.frombuffer(raw[_HEADER.size : start], dtype=np.int64)
    return offsets, raw[start : start + size], end
