"""A precompiled charsmap from a table: the double-array trie and the replacements (see `reference/charsmap`)."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from typing import Any

_BLOCK = 256
"""SentencePiece wants the array to consist of whole blocks of this many units."""


def charsmap_blob(table: Mapping[str, str]) -> bytes:
    """The blob for keys and their replacements; empty for an empty table."""
    if not table:
        return b""
    replacements = bytearray()
    root: dict[int, Any] = {}
    for key, value in sorted(table.items()):
        node = root
        for byte in key.encode():
            node = node.setdefault(byte, {})
        node[-1] = len(replacements)
        replacements += value.encode() + b"\0"
    units = _Units()
    units.place(0, root)
    packed = struct.pack(f"<{len(units.units)}I", *units.units)
    return struct.pack("<I", len(packed)) + packed + bytes(replacements)


class _Units:
    """The double array as it is filled: unit 0 is the root."""

    def __init__(self) -> None:
        self.units = [0] * _BLOCK
        self._taken = {0}
        self._bases = {0}

    def place(self, index: int, node: Mapping[int, Any]) -> None:
        """Put the children of the unit at `index` where nothing is yet; -1 represents the value of a key."""
        labels = [0 if label < 0 else label for label in node]
        base = next(base for base in range(1, 1 << 20) if self._is_free(base, labels))
        self._bases.add(base)
        self._taken.update(base ^ label for label in labels)
        while len(self.units) <= max(self._taken):
            self.units += [0] * _BLOCK
        self.units[index] |= (index ^ base) << 10 | (-1 in node) << 8
        for label, child in node.items():
            if label < 0:
                self.units[base] = 1 << 31 | child
            else:
                self.units[base ^ label] = label
        for label, child in node.items():
            if label >= 0:
                self.place(base ^ label, child)

    def _is_free(self, base: int, labels: list[int]) -> bool:
        # Two units with one base would adopt each other's children.
        return base not in self._bases and not any(base ^ label in self._taken for label in labels)
