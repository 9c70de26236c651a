"""Texts that are changed before the model's own normalizer sees them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tokparity.behaviour import DecodeText
from tokparity.quirk import Derived, Place


@dataclass(frozen=True)
class ChangedBytes:
    """Reads the text after changing its bytes."""

    inner: DecodeText
    change: Callable[[bytes], bytes]

    def __call__(self, data: bytes) -> str:
        return self.inner(self.change(data))


@dataclass(frozen=True)
class ChangedText:
    """Reads the text, then changes it."""

    inner: DecodeText
    change: Callable[[str], str]

    def __call__(self, data: bytes) -> str:
        return self.change(self.inner(data))


@dataclass(frozen=True)
class Replacing:
    """Replaces one sequence of bytes by another."""

    old: bytes
    new: bytes

    def __call__(self, data: bytes) -> bytes:
        return data.replace(self.old, self.new)


@dataclass(frozen=True)
class Translating:
    """Puts some characters in the place of others, one for one."""

    characters: str
    replacements: str

    def __call__(self, text: str) -> str:
        return text.translate(str.maketrans(self.characters, self.replacements))


@dataclass(frozen=True)
class Stripping:
    """Takes these characters away from both ends."""

    characters: str

    def __call__(self, text: str) -> str:
        return text.strip(self.characters)


def of_bytes(number: int, change: Callable[[bytes], bytes]) -> Derived:
    """A `derive` for the field decode_text, about the bytes that it is given."""
    return Derived(Place.BEFORE, number, lambda behaviour: ChangedBytes(behaviour.decode_text, change))


def of_text(number: int, change: Callable[[str], str]) -> Derived:
    """A `derive` for the field decode_text that changes the decoded characters."""
    return Derived(Place.AFTER, number, lambda behaviour: ChangedText(behaviour.decode_text, change))
