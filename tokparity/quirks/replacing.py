"""Texts in which something is replaced before a tokenizer sees them."""

from __future__ import annotations

from dataclasses import dataclass

from tokparity.behaviour import DecodeText


@dataclass(frozen=True)
class Replaced:
    """Reads the text after replacing one sequence of bytes by another."""

    inner: DecodeText
    old: bytes
    new: bytes

    def __call__(self, data: bytes) -> str:
        return self.inner(data.replace(self.old, self.new))
