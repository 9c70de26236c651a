"""Mutators that know how a SentencePiece model is laid out."""

from __future__ import annotations

import struct
from functools import lru_cache
from random import Random

from tests.hostile.blind import BYTES, LIES
from tests.hostile.gguf_mutants import FLOATS

Part = tuple[int, int, bytes]
"""(field number, wire type, payload) of a message."""


def varint(value: int) -> bytes:
    """A number in base 128."""
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes((*out, value))


def _read_varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at


@lru_cache(maxsize=8)
def parts_of(data: bytes) -> tuple[Part, ...]:
    """The fields of a message that is well-formed."""
    parts: list[Part] = []
    at = 0
    while at < len(data):
        tag, at = _read_varint(data, at)
        begin = at
        if tag & 7 == 0:
            _, at = _read_varint(data, at)
        elif tag & 7 == 2:
            length, begin = _read_varint(data, at)
            at = begin + length
        else:
            at += 4 if tag & 7 == 5 else 8
        parts.append((tag >> 3, tag & 7, data[begin:at]))
    return tuple(parts)


def message(parts: list[Part]) -> bytes:
    """The bytes of fields."""
    return b"".join(
        varint(number << 3 | wire) + (varint(len(payload)) if wire == 2 else b"") + payload
        for number, wire, payload in parts
    )


def _odd_part(part: Part, random: Random) -> Part:
    """A field with another value of its wire type."""
    number, wire, _ = part
    if wire == 0:
        return number, wire, varint(random.choice(LIES))
    if wire == 5:
        return number, wire, struct.pack("<f", random.choice(FLOATS))
    return number, wire, random.choice(BYTES) if wire == 2 else bytes(8)


def _some(parts: list[Part], random: Random) -> int:
    """The index of a part: one of the many pieces, or of the few others."""
    others = [i for i, part in enumerate(parts) if part[0] != 1]
    return random.choice(others) if others and random.random() < 0.5 else random.randrange(len(parts))


def odd_field(data: bytes, random: Random) -> bytes:
    """A field of a piece, the trainer or the normalizer has a value that nobody expects."""
    parts = list(parts_of(data))
    for _ in range(random.choice((1, 1, 3))):
        i = _some(parts, random)
        number, wire, payload = parts[i]
        inner = list(parts_of(payload))
        if inner:
            j = random.randrange(len(inner))
            inner[j] = _odd_part(inner[j], random)
            parts[i] = number, wire, message(inner)
    return message(parts)


def odd_wire(data: bytes, random: Random) -> bytes:
    """A field, or one inside of it, has another wire type or number: groups, types that there are not."""
    parts = list(parts_of(data))
    i = _some(parts, random)
    number, wire, payload = parts[i]
    inner = list(parts_of(payload))
    new = random.randrange(8)
    if inner and random.random() < 0.7:
        j = random.randrange(len(inner))
        inner[j] = (random.choice((inner[j][0], 0, 200)), new, inner[j][2])
        parts[i] = number, wire, message(inner)
    else:
        parts[i] = random.choice((number, 0, 99)), new, payload
    return message(parts)


def odd_varint(data: bytes, random: Random) -> bytes:
    """A length lies, never ends or is longer than any number."""
    parts = list(parts_of(data))
    i = _some(parts, random)
    length = random.choice((varint(random.choice(LIES)), b"\xff" * 11, b"\x80" * 9 + b"\1", b"\x80"))
    number, wire, payload = parts[i]
    return message(parts[:i]) + varint(number << 3 | wire) + length + payload + message(parts[i + 1 :])


def odd_parts(data: bytes, random: Random) -> bytes:
    """Fields are missing, there many times, in groups within groups, or in another order."""
    parts = list(parts_of(data))
    i = _some(parts, random)
    way = random.randrange(4)
    if way == 0:
        return message(parts[:i] + parts[i + random.choice((1, 1, 100)) :])
    if way == 1:
        return message(parts[:i] + [parts[i]] * random.choice((2, 1000)) + parts[i:])
    if way == 2:
        depth = random.choice((1, 50, 5000))
        return message(parts[:i]) + b"\x0b" * depth + b"\x0c" * random.choice((depth, 0)) + message(parts[i:])
    random.shuffle(parts)
    return message(parts)


PROTOBUF = (odd_field, odd_wire, odd_varint, odd_parts)
