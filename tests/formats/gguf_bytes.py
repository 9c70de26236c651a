"""GGUF files built byte by byte, so that they can lie."""

from __future__ import annotations

import struct

UINT32, STRING, ARRAY, UINT64 = 4, 8, 9, 10


def string(text: bytes | str, order: str = "<", length: int | None = None) -> bytes:
    """A string with its length, or with another one."""
    raw = text.encode() if isinstance(text, str) else text
    return struct.pack(order + "Q", len(raw) if length is None else length) + raw


def number(value: int, order: str = "<") -> bytes:
    """A UINT32 with its type."""
    return struct.pack(order + "II", UINT32, value)


def strings(texts: list[str], order: str = "<", count: int | None = None) -> bytes:
    """An array of strings with its types and count, or with another count."""
    head = struct.pack(order + "IIQ", ARRAY, STRING, len(texts) if count is None else count)
    return head + b"".join(string(text, order) for text in texts)


def file(
    fields: dict[str, bytes], order: str = "<", version: int = 3, tensors: int = 0, count: int | None = None
) -> bytes:
    """A whole file; `fields` are typed values by key."""
    head = b"GGUF" + struct.pack(order + "IQQ", version, tensors, len(fields) if count is None else count)
    return head + b"".join(string(key, order) + value for key, value in fields.items())
