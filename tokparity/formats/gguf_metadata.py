"""The metadata of a GGUF file, read without trusting a single length in it.

Every count and length is checked against the bytes that are left before anything is allocated. A sparse file has as
many bytes as it likes, so one string, all metadata together and all items together have bounds as well. A field knows
where its bytes begin and end, and the file where its tensors begin. So metadata can be rewritten, and all other bytes
are copied. Source: `docs/gguf.md` of ggml.
"""

from __future__ import annotations

import mmap
import sys
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from tokparity.errors import FormatError
from tokparity.formats.excerpt import excerpt
from tokparity.formats.gguf_cursor import CODES, DAMAGED, ByteOrder, Cursor, Type

MAGIC = b"GGUF"
VERSIONS = (2, 3)

MAX_FIELDS = 1 << 16
MAX_TENSORS = 1 << 20
MAX_ITEMS = 1 << 23
MAX_NESTING = 4
MAX_KEY = 1 << 16
MAX_STRING = 1 << 26
MAX_BYTES = 1 << 28
MAX_DIMENSIONS = 4
"""Generous limits; a file beyond them is not worth reading. The largest known vocabularies have 2**20 items.

`MAX_ITEMS` counts the items of all arrays together, `MAX_KEY` and `MAX_STRING` the bytes of one string, `MAX_BYTES`
all bytes before the tensors' data.
"""

_ARRAY_COSTS = 16
"""Items that one array within an array counts as: it takes the memory of this many numbers."""


@dataclass(frozen=True)
class Field:
    """One key and its value.

    `value` is a number, a bool, bytes (STRING) or a list of bytes (ARRAY of STRING). It may also be an `array` of
    numbers, a list of bools or a list of such lists. `begin` and `end` are the offsets of key, type and value together
    in the file.
    """

    key: str
    type: Type
    item_type: Type | None
    value: object
    begin: int
    end: int


@dataclass(frozen=True)
class Tensor:
    """What the file says of one tensor; `offset` counts from the file's `data_offset`."""

    name: str
    shape: tuple[int, ...]
    type: int
    offset: int


@dataclass(frozen=True)
class Metadata:
    """Everything in a GGUF file except the tensors' data.

    The tensors' descriptions are the bytes from `tensors_begin` to `tensors_end`; their data begins at
    `data_offset`, which is the next multiple of `alignment`.
    """

    path: Path
    size: int
    version: int
    byte_order: ByteOrder
    fields: Mapping[str, Field]
    tensors: tuple[Tensor, ...]
    tensors_begin: int
    tensors_end: int
    data_offset: int
    alignment: int

    def get(self, key: str) -> object:
        """The value of a key, None if the file doesn't have it."""
        found = self.fields.get(key)
        return None if found is None else found.value


def read_metadata(path: Path | str) -> Metadata:
    """Read all of a GGUF file but its tensors' data; FormatError names field, value, offset and file size.

    A file that stays as it is is read once, so nobody may change a value.
    """
    path = Path(path)
    status = path.stat()
    return _read_once(path, status.st_ino, status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=2)
def _read_once(path: Path, number: int, modified: int, size: int) -> Metadata:
    if size < 24:
        raise FormatError(f"{path}: a GGUF header has 24 bytes, and the file has only {size}", DAMAGED)
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        return _read(path, data)


def _read(path: Path, data: mmap.mmap) -> Metadata:
    if data[:4] != MAGIC:
        raise FormatError(f"{path}: magic is {data[:4]!r}, not {MAGIC!r}", "this is not a GGUF file: check the path")
    # A version is a small number, so whichever reading makes it one is the file's byte order.
    byte_order: ByteOrder = "big" if data[4:6] == b"\0\0" else "little"
    cursor = Cursor(path, data, byte_order, MAX_BYTES, MAX_ITEMS)
    cursor.at = 4
    version = int(cursor.scalar(Type.UINT32, "version"))
    if version not in VERSIONS:
        raise FormatError(
            f"{path}: GGUF version {version} is not supported", f"convert it to version {VERSIONS[-1]} with llama.cpp"
        )
    tensor_count = cursor.count("number of tensors", 24, MAX_TENSORS)
    field_count = cursor.count("number of metadata fields", 13, MAX_FIELDS)
    fields: dict[str, Field] = {}
    for index in range(field_count):
        field = _field(cursor, index)
        if field.key in fields:
            raise cursor.error(f"key of field {index}", excerpt(field.key), "an earlier field has the same key")
        fields[field.key] = field
    tensors_begin = cursor.at
    tensors = tuple(_tensor(cursor, index) for index in range(tensor_count))
    alignment = _alignment(cursor, fields)
    data_offset = -(-cursor.at // alignment) * alignment
    if tensors and data_offset > cursor.size:
        raise cursor.error("offset of the tensors' data", data_offset, "lies behind the end")
    return Metadata(
        path, cursor.size, version, byte_order, fields, tensors, tensors_begin, cursor.at, data_offset, alignment
    )


def _field(cursor: Cursor, index: int) -> Field:
    begin = cursor.at
    raw = cursor.string(f"key of field {index}", MAX_KEY)
    try:
        key = raw.decode()
    except UnicodeDecodeError:
        raise cursor.error(f"key of field {index}", excerpt(raw), "is not UTF-8") from None
    kind = cursor.kind(f"type of {key}")
    if kind is not Type.ARRAY:
        value = cursor.string(key, MAX_STRING) if kind is Type.STRING else cursor.scalar(kind, key)
        return Field(key, kind, None, value, begin, cursor.at)
    item_type = cursor.kind(f"item type of {key}")
    return Field(key, kind, item_type, _items(cursor, key, item_type, 1), begin, cursor.at)


def _items(cursor: Cursor, key: str, kind: Type, depth: int) -> Sequence[object]:
    what = f"number of items of {key}"
    if kind is Type.STRING:
        return _strings(cursor, key, cursor.items(what, 8))
    if kind is Type.ARRAY:
        if depth == MAX_NESTING:
            raise cursor.error(f"nesting of {key}", depth + 1, f"at most {MAX_NESTING} levels are supported")
        count = cursor.items(what, 12, _ARRAY_COSTS)
        return [_items(cursor, key, cursor.kind(f"item type of {key}"), depth + 1) for _ in range(count)]
    size = cursor.scalars[kind].size
    count = cursor.items(what, size)
    raw = cursor.data[cursor.at : cursor.at + count * size]
    cursor.at += len(raw)
    if kind is Type.BOOL:
        return [byte != 0 for byte in raw]
    numbers: array[float] = array(CODES[kind], raw)
    if cursor.byte_order != sys.byteorder:
        numbers.byteswap()
    return numbers


def _strings(cursor: Cursor, key: str, count: int) -> list[bytes]:
    # The hot loop: a vocabulary has up to a million of these, so the cursor's methods are spelled out.
    data, unpack, at, last = cursor.data, cursor.long.unpack_from, cursor.at, cursor.readable - 8
    found: list[bytes] = []
    for index in range(count):
        if at > last:
            cursor.at = at
            raise cursor.error(f"length of {key}[{index}]", "cut off", f"{cursor.readable - at} bytes are left")
        (length,) = unpack(data, at)
        begin, at = at + 8, at + 8 + length
        if length > MAX_STRING or at > cursor.readable:
            cursor.at = begin - 8
            left = min(MAX_STRING, cursor.readable - begin)
            raise cursor.error(f"length of {key}[{index}]", length, f"at most {left} bytes can be read")
        found.append(data[begin:at])
    cursor.at = at
    return found


def _tensor(cursor: Cursor, index: int) -> Tensor:
    name = cursor.string(f"name of tensor {index}", MAX_KEY).decode(errors="replace")
    dimensions = int(cursor.scalar(Type.UINT32, f"number of dimensions of {name}"))
    if dimensions > MAX_DIMENSIONS:
        raise cursor.error(f"number of dimensions of {name}", dimensions, f"at most {MAX_DIMENSIONS} are possible")
    shape = tuple(int(cursor.scalar(Type.UINT64, f"shape of {name}")) for _ in range(dimensions))
    kind = int(cursor.scalar(Type.UINT32, f"type of {name}"))
    return Tensor(name, shape, kind, int(cursor.scalar(Type.UINT64, f"offset of {name}")))


def _alignment(cursor: Cursor, fields: Mapping[str, Field]) -> int:
    field = fields.get("general.alignment")
    if field is None:
        return 32
    if type(field.value) is not int or not 0 < field.value <= 1 << 20 or field.value & (field.value - 1):
        raise cursor.error("general.alignment", excerpt(field.value), "must be a power of two")
    return field.value
