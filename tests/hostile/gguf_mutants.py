"""Mutators that know how a GGUF is laid out."""

from __future__ import annotations

import struct
import tempfile
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from random import Random

from tests.hostile.blind import BYTES, LIES
from tokparity.formats.gguf_cursor import CODES, Type
from tokparity.formats.gguf_metadata import Field, read_metadata

SPARSE_BYTES = 17 << 30
"""Length of a file that is a hole but for its beginning."""
FLOATS = (float("nan"), float("inf"), float("-inf"), 3.4e38, -3.4e38, 1e31, 0.0, -0.0)


@lru_cache(maxsize=8)
def _fields(data: bytes) -> tuple[Field, ...]:
    with tempfile.NamedTemporaryFile(suffix=".gguf") as file:
        file.write(data)
        file.flush()
        return tuple(read_metadata(Path(file.name)).fields.values())


def _string(text: bytes) -> bytes:
    return struct.pack("<Q", len(text)) + text


def _key(field: Field) -> bytes:
    return _string(field.key.encode())


def _number(kind: Type, random: Random) -> bytes:
    code = CODES[kind]
    if code in "fd":
        return struct.pack("<" + code, random.choice(FLOATS))
    size = struct.calcsize(code)
    return (random.choice(LIES) & ((1 << 8 * size) - 1)).to_bytes(size, "little")


def _value(random: Random, depth: int = 0) -> tuple[int, bytes]:
    """(type, value) of a random, well-formed value."""
    kind = random.choice(list(Type))
    if kind is Type.STRING:
        return kind, _string(random.choice(BYTES))
    if kind is not Type.ARRAY:
        return kind, _number(kind, random)
    item = random.choice([t for t in Type if t is not Type.ARRAY or depth < 5])
    count = random.choice((0, 1, 3, 3000))
    if item is Type.ARRAY:
        inner = _value(random, depth + 1)[1] if depth < 5 else b""
        return kind, struct.pack("<IQ", item, 1) + (inner if len(inner) >= 12 else struct.pack("<IQ", 4, 0))
    one = _string(random.choice(BYTES[:6])) if item is Type.STRING else _number(item, random)
    return kind, struct.pack("<IQ", item, count) + one * count


def _with_field(data: bytes, field: Field, new: bytes) -> bytes:
    return data[: field.begin] + new + data[field.end :]


def another_value(data: bytes, random: Random) -> bytes:
    """A key has a value of any type."""
    field = random.choice(_fields(data))
    kind, value = _value(random)
    return _with_field(data, field, _key(field) + struct.pack("<I", kind) + value)


def _count(data: bytes, random: Random) -> int:
    """The place of the number of fields, or of the length of a key, a string or an array."""
    field = random.choice(_fields(data))
    after = field.begin + 8 + len(field.key.encode()) + 4
    where = [8, 16, field.begin]
    where += [after] if field.type is Type.STRING else [after + 4, after + 12] if field.type is Type.ARRAY else []
    return random.choice(where)


def lying_count(data: bytes, random: Random) -> bytes:
    """The number of fields, the length of a key, a string or an array is not what it is."""
    at = _count(data, random)
    (old,) = struct.unpack_from("<Q", data, at)
    new = random.choice((*LIES, old + 1, max(old - 1, 0))) & ((1 << 64) - 1)
    return data[:at] + struct.pack("<Q", new) + data[at + 8 :]


def sparse(data: bytes, random: Random) -> bytes:
    """A count lies, and the file is as large as it says, for whoever writes it makes it `SPARSE_BYTES` long."""
    at = _count(data, random)
    new = random.choice((1 << 16, 1 << 23, 1 << 26, 1 << 28, 1 << 31, SPARSE_BYTES - at - 100)) + random.randrange(64)
    return data[:at] + struct.pack("<Q", new) + data[at + 8 :]


def another_type(data: bytes, random: Random) -> bytes:
    """The number of a type is another, or none."""
    field = random.choice(_fields(data))
    at = field.begin + 8 + len(field.key.encode()) + random.choice((0, 4))
    return data[:at] + struct.pack("<I", random.choice((*Type, 13, 255, 1 << 31))) + data[at + 4 :]


def odd_items(data: bytes, random: Random) -> bytes:
    """Some items of an array are what nobody expects: scores without end, pieces that are not UTF-8 or very long."""
    arrays = [field for field in _fields(data) if field.type is Type.ARRAY and field.item_type is not Type.ARRAY]
    field = random.choice(arrays)
    item_type, items = field.item_type, list(field.value)  # type: ignore[call-overload]
    assert item_type is not None
    raw = [_string(i) if item_type is Type.STRING else struct.pack("<" + CODES[item_type], i) for i in items]
    for _ in range(random.choice((1, 1, 5, 500))):
        odd = _string(random.choice(BYTES)) if item_type is Type.STRING else _number(item_type, random)
        raw[random.randrange(len(raw))] = odd if random.random() < 0.8 else random.choice(raw)
    cut = random.choice((len(raw), len(raw), 1, 0))
    head = struct.pack("<IIQ", Type.ARRAY, item_type, cut)
    return _with_field(data, field, _key(field) + head + b"".join(raw[:cut]))


def other_fields(data: bytes, random: Random) -> bytes:
    """A field is missing, or there twice, or has another key."""
    field, other = random.choice(_fields(data)), random.choice(_fields(data))
    whole = data[field.begin : field.end]
    count = len(_fields(data))
    names = (other.key.encode(), *BYTES, b"general.alignment", b"tokenizer.ggml.scores")
    ways: tuple[Callable[[], tuple[bytes, int]], ...] = (
        lambda: (b"", count - 1),
        lambda: (whole + whole, count + 1),
        lambda: (_string(random.choice(names)) + whole[8 + len(field.key.encode()) :], count),
        lambda: (data[other.begin : other.end], count),
    )
    new, count = random.choice(ways)()
    changed = _with_field(data, field, new)
    return changed[:16] + struct.pack("<Q", count) + changed[24:]


GGUF = (another_value, lying_count, sparse, another_type, odd_items, other_fields)
