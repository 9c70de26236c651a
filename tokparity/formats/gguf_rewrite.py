"""A GGUF with other metadata: changed keys are written anew, everything else is copied byte by byte.

Tensors are copied in chunks, so a file of any size takes the memory of one chunk. Their descriptions stay as they are,
because offsets count from the beginning of the tensors' data. The original is only read.
"""

from __future__ import annotations

import hashlib
import os
import struct
from array import array
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import BinaryIO, TypeAlias

from tokparity.errors import FormatError, UsageError
from tokparity.formats import check_target
from tokparity.formats.gguf_cursor import CODES, Type
from tokparity.formats.gguf_metadata import MAGIC, Field, Metadata, read_metadata
from tokparity.formats.gguf_types import whole_number

Value: TypeAlias = "bool | int | float | bytes | Sequence[bytes] | array[int] | array[float]"
"""A bool, a whole number (UINT32), a float (FLOAT32), a string, an array of strings or of numbers."""

CHUNK = 8 << 20
_ARRAY_TYPES = {"f": Type.FLOAT32, "d": Type.FLOAT64, "i": Type.INT32, "I": Type.UINT32, "B": Type.UINT8}


def rewrite(path: Path, changes: Mapping[str, Value | None], out: Path) -> str:
    """Write a copy of a GGUF with these keys changed, added or (None) removed; it appears whole or not at all.

    Gives the SHA-256 of the tensors' data, which is the same in both files; FormatError if it came out otherwise.
    """
    if out.exists() and out.samefile(path):
        raise UsageError(f"{str(out)!r} is the original, which is never written to", "choose another name")
    check_target(out)
    metadata = read_metadata(path)
    temporary = out.with_name(f".{out.name}.{os.getpid()}")
    try:
        with path.open("rb") as source, temporary.open("wb") as target:
            _head(metadata, changes, source, target)
            begin = target.tell()
            copied = _copy(source, target, metadata.data_offset, metadata.size)
        if tensor_hash(temporary, begin) != copied:
            raise FormatError(f"the copied tensors differ from those of {path}", "check the disk, and run again")
        temporary.replace(out)
    except OSError as error:
        raise UsageError(f"can't write {str(out)!r}: {error.strerror or error}", "choose another place") from error
    finally:
        temporary.unlink(missing_ok=True)
    return copied


def tensor_hash(path: Path, begin: int | None = None) -> str:
    """SHA-256 of the tensors' data, which begins at `begin` or where the file says."""
    offset = read_metadata(path).data_offset if begin is None else begin
    found = hashlib.sha256()
    with path.open("rb") as file:
        for chunk in _chunks(file, offset, path.stat().st_size):
            found.update(chunk)
    return found.hexdigest()


def _head(metadata: Metadata, changes: Mapping[str, Value | None], source: BinaryIO, target: BinaryIO) -> None:
    """Header, keys, descriptions of the tensors, padding."""
    sign = "<" if metadata.byte_order == "little" else ">"
    kept = [field for field in metadata.fields.values() if not (field.key in changes and changes[field.key] is None)]
    added = [(key, value) for key, value in changes.items() if key not in metadata.fields and value is not None]
    target.write(MAGIC + struct.pack(f"{sign}IQQ", metadata.version, len(metadata.tensors), len(kept) + len(added)))
    for field in kept:
        value = changes.get(field.key)
        if value is None:
            _copy(source, target, field.begin, field.end)
        else:
            target.write(encoded(field.key, value, sign, field))
    for key, value in added:
        target.write(encoded(key, value, sign))
    _copy(source, target, metadata.tensors_begin, metadata.tensors_end)
    if metadata.size >= metadata.data_offset:  # a file without tensors may end before the padding
        target.write(bytes(-target.tell() % metadata.alignment))


def encoded(key: str, value: Value, sign: str = "<", like: Field | None = None) -> bytes:
    """One key and its value as they stand in a file, in the type that is read or else in that of `like` if it fits."""
    name = key.encode()
    kind, body = _typed(value, sign, whole_number(key) or _whole_number_of(like))
    return struct.pack(f"{sign}Q", len(name)) + name + struct.pack(f"{sign}I", kind) + body


def _whole_number_of(like: Field | None) -> Type:
    return like.type if like is not None and like.type in CODES and like.type is not Type.BOOL else Type.UINT32


def _typed(value: Value, sign: str, whole: Type) -> tuple[Type, bytes]:
    """Type and bytes of a value; a whole number is written as `whole`."""
    if isinstance(value, bool):
        return Type.BOOL, struct.pack("?", value)
    if isinstance(value, int):
        return whole, struct.pack(sign + CODES[whole], value)
    if isinstance(value, float):
        return Type.FLOAT32, struct.pack(f"{sign}f", value)
    if isinstance(value, bytes):
        return Type.STRING, _string(value, sign)
    if isinstance(value, array):
        item = _ARRAY_TYPES[value.typecode]
        return Type.ARRAY, struct.pack(f"{sign}IQ{len(value)}{CODES[item]}", item, len(value), *value)
    return Type.ARRAY, struct.pack(f"{sign}IQ", Type.STRING, len(value)) + b"".join(_string(s, sign) for s in value)


def _string(text: bytes, sign: str) -> bytes:
    return struct.pack(f"{sign}Q", len(text)) + text


def _copy(source: BinaryIO, target: BinaryIO, begin: int, end: int) -> str:
    """Copy a range in chunks; its SHA-256."""
    found = hashlib.sha256()
    for chunk in _chunks(source, begin, end):
        found.update(chunk)
        target.write(chunk)
    return found.hexdigest()


def _chunks(file: BinaryIO, begin: int, end: int) -> Iterator[bytes]:
    file.seek(begin)
    left = max(end - begin, 0)
    while left > 0:
        chunk = file.read(min(CHUNK, left))
        if not chunk:
            raise FormatError(f"{file.name} ends {left} bytes too early", "fetch or convert it again")
        left -= len(chunk)
        yield chunk
