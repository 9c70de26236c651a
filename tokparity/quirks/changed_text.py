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
class Recased:
    """Reads the text in lower case, or folded for comparison, as the installed Python does it to whole texts.

    Unlike a normaliser that goes character by character, it makes a capital sigma at the end of a word a final one.
    """

    inner: DecodeText
    how: Literal["lower", "casefold"]

    def __call__(self, data: bytes) -> str:
        text = self.inner(data)
        return text.lower() if self.how == "lower" else text.casefold()


@dataclass(frozen=True)
class Translated:
    """Reads the text with some characters in the place of others."""

    inner: DecodeText
    characters: str
    replacements: str

    def __call__(self, data: bytes) -> str:
        return self.inner(data).translate(str.maketrans(self.characters, self.replacements))


@dataclass(frozen=True)
class Formed:
    """Puts the text in a Unicode normal form, then normalises as before."""

    form: Literal["NFC", "NFD", "NFKC", "NFKD"]
    inner: Normalise | None

    def __call__(self, text: str) -> str:
        text = unicodedata.normalize(self.form, text)
        return self.inner(text) if self.inner else text
