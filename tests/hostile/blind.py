"""Mutators that know nothing of a format."""

from __future__ import annotations

import struct
from random import Random

LIES = (
    0,
    1,
    2,
    127,
    128,
    255,
    1 << 16,
    (1 << 31) - 1,
    1 << 31,
    (1 << 32) - 1,
    1 << 40,
    1 << 60,
    (1 << 63),
    (1 << 64) - 1,
)
"""Numbers that are too small, too large, or where a type ends."""

BYTES = (b"", b"\0", b"\x1b[31m", b"\xff\xfe", b"\xed\xa0\x80", b"\xc0\x80", b"a" * 70_000, b" ", "▁".encode(), b"\n")
"""Spellings that nobody expects."""


def stretch(data: bytes, random: Random, most: int = 64) -> tuple[int, int]:
    """Two places in the data, not far from each other."""
    begin = random.randrange(len(data) + 1)
    return begin, min(len(data), begin + random.randrange(most))


def flip_bits(data: bytes, random: Random) -> bytes:
    """Up to eight bits are turned."""
    changed = bytearray(data)
    for _ in range(random.randint(1, 8) if data else 0):
        changed[random.randrange(len(changed))] ^= 1 << random.randrange(8)
    return bytes(changed)


def flip_early(data: bytes, random: Random) -> bytes:
    """As `flip_bits`, in the first 200 bytes, where the header is."""
    return flip_bits(data[:200], random) + data[200:]


def truncate(data: bytes, random: Random) -> bytes:
    """The end is missing."""
    return data[: random.randrange(len(data) + 1)]


def remove(data: bytes, random: Random) -> bytes:
    """A stretch in the middle is missing."""
    begin, end = stretch(data, random)
    return data[:begin] + data[end:]


def splice(data: bytes, random: Random) -> bytes:
    """A stretch stands in another place as well."""
    begin, end = stretch(data, random, 4096)
    at = random.randrange(len(data) + 1)
    return data[:at] + data[begin:end] + data[at:]


def repeat(data: bytes, random: Random) -> bytes:
    """A stretch comes many times."""
    begin, end = stretch(data, random)
    return data[:end] + data[begin:end] * random.choice((1, 10, 1000)) + data[end:]


def overwrite(data: bytes, random: Random) -> bytes:
    """A number of 1, 4 or 8 bytes becomes one of the lies, or bytes that nobody expects stand in its place."""
    at = random.randrange(len(data) + 1)
    code, size = random.choice((("B", 1), ("I", 4), ("Q", 8)))
    lie = struct.pack("<" + code, random.choice(LIES) & ((1 << 8 * size) - 1))
    new = random.choice((lie, random.choice(BYTES)))
    return data[:at] + new + data[at + len(new) :]


BLIND = (flip_bits, flip_early, truncate, remove, splice, repeat, overwrite)
