"""A place in a GGUF file, from which numbers, strings and counts are read that the file has bytes for."""

from __future__ import annotations

import mmap
import struct
from enum import IntEnum
from pathlib import Path
from typing import Literal

from tokparity.errors import FormatError
from tokparity.formats.excerpt import printable

DAMAGED = "the file is truncated or damaged: fetch or convert it again"


class Type(IntEnum):
    """The type of a metadata value, by its number in the file."""

    UINT8 = 0
    INT8 = 1
    UINT16 = 2
    INT16 = 3
    UINT32 = 4
    INT32 = 5
    FLOAT32 = 6
    BOOL = 7
    STRING = 8
    ARRAY = 9
    UINT64 = 10
    INT64 = 11
    FLOAT64 = 12


CODES = {
    Type.UINT8: "B",
    Type.INT8: "b",
    Type.UINT16: "H",
    Type.INT16: "h",
    Type.UINT32: "I",
    Type.INT32: "i",
    Type.FLOAT32: "f",
    Type.BOOL: "?",
    Type.UINT64: "Q",
    Type.INT64: "q",
    Type.FLOAT64: "d",
}
"""The letters of the struct module; those of `array` are the same, except for BOOL."""

ByteOrder = Literal["little", "big"]


class Cursor:
    """A place in the file that only moves forward, never past the end, and never past what is read of a file.

    At most `readable` bytes are read, and arrays of at most `items_left` items in all.
    """

    def __init__(self, path: Path, data: mmap.mmap, byte_order: ByteOrder, most_bytes: int, most_items: int) -> None:
        self.path, self.data, self.size, self.byte_order = path, data, len(data), byte_order
        self.readable, self.items_left = min(self.size, most_bytes), most_items
        sign = "<" if byte_order == "little" else ">"
        self.scalars = {kind: struct.Struct(sign + code) for kind, code in CODES.items()}
        self.long = struct.Struct(sign + "Q")
        self.at = 0

    def error(self, what: str, value: object, reason: str) -> FormatError:
        """A FormatError that says where in the file which field has which value."""
        return FormatError(
            f"{self.path}: {printable(what)} is {printable(str(value))} at offset {self.at}: {reason} "
            f"(file of {self.size} bytes)",
            DAMAGED,
        )

    def need(self, count: int, what: str, value: object) -> None:
        """Refuse to go on if fewer than `count` bytes are left."""
        if count > self.readable - self.at:
            raise self.error(what, value, f"needs {count} bytes, {self.left(0)}")

    def left(self, used: int) -> str:
        """How many bytes are left behind the next `used` ones, in words."""
        left = max(self.readable - self.at - used, 0)
        bound = f"; the first {self.readable} are read" if self.readable < self.size else ""
        return f"{left} are left{bound}"

    def scalar(self, kind: Type, what: str) -> int | float | bool:
        """The next number."""
        packed = self.scalars[kind]
        self.need(packed.size, what, f"a {kind.name}")
        (value,) = packed.unpack_from(self.data, self.at)
        self.at += packed.size
        return value  # type: ignore[no-any-return]

    def count(self, what: str, item_size: int, limit: int) -> int:
        """The next length or count, of items that take at least `item_size` bytes each."""
        self.need(8, what, "a UINT64")
        (value,) = self.long.unpack_from(self.data, self.at)
        if value > limit:
            raise self.error(what, value, f"at most {limit} are supported")
        if value * item_size > self.readable - self.at - 8:
            raise self.error(what, value, f"needs at least {value * item_size} bytes, {self.left(8)}")
        self.at += 8
        return int(value)

    def items(self, what: str, item_size: int, each: int = 1) -> int:
        """The next number of items of an array, each of which counts as `each` of those that may still come."""
        count = self.count(what, item_size, self.items_left // each)
        self.items_left -= count * each
        return count

    def string(self, what: str, limit: int) -> bytes:
        """The next string, as it is in the file."""
        length = self.count(f"length of {what}", 1, limit)
        self.at += length
        return self.data[self.at - length : self.at]

    def kind(self, what: str) -> Type:
        """The next type number."""
        at, value = self.at, int(self.scalar(Type.UINT32, what))
        try:
            return Type(value)
        except ValueError:
            self.at = at
            raise self.error(what, value, "there is no such type") from None
