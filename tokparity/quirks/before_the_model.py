"""What a library or a caller does to a text before the model's own normaliser sees it."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import Literal

from tokparity.behaviour import DecodeText, Normalise


@dataclass(frozen=True)
class Replaced:
    """Reads the text after replacing one sequence of bytes by another."""

    inner: DecodeText
    old: bytes
    new: bytes

    def __call__(self, data: bytes) -> str:
        return self.inner(data.replace(self.old, self.new))


@dataclass(frozen=True)
class Formed:
    """Puts the text in a Unicode normal form, then normalises as before."""

    form: Literal["NFC", "NFD", "NFKC", "NFKD"]
    inner: Normalise | None

    def __call__(self, text: str) -> str:
        text = unicodedata.normalize(self.form, text)
        return self.inner(text) if self.inner else text
