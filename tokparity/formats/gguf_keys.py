"""The keys of a GGUF file, each read as the type it must have."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tokparity.errors import FormatError
from tokparity.formats.excerpt import excerpt

PREFIX = "tokenizer.ggml."
BROKEN = "convert the model again"


@dataclass(frozen=True)
class Keys:
    """The keys under `tokenizer.ggml.`, and by full name those under `general.`, each read as the type it must have."""

    path: Path
    values: Mapping[str, object]

    def find(self, key: str, kind: type | tuple[type, ...], wanted: str) -> Any:
        """The value of a key, None if the file doesn't have it; FormatError if it has another type."""
        name = key if key.startswith("general.") else PREFIX + key
        value = self.values.get(name)
        # A boolean is a Python int as well.
        if value is None or (isinstance(value, kind) and (kind is bool or not isinstance(value, bool))):
            return value
        raise FormatError(f"{self.path}: {name} is a {type(value).__name__} ({excerpt(value)}), not {wanted}", BROKEN)

    def text(self, key: str) -> str:
        """A string; empty if the file doesn't have it."""
        return str((self.find(key, bytes, "a string") or b"").decode("utf-8", "replace"))

    def flag(self, key: str, default: bool) -> bool:
        """A boolean."""
        value = self.find(key, bool, "a boolean")
        return default if value is None else bool(value)

    def items(self, key: str, length: int | None = None) -> Sequence[Any]:
        """An array, cut to `length`; FormatError if it is shorter, empty if the file doesn't have it."""
        value = self.find(key, Sequence, "an array")
        if value is None:
            return ()
        if isinstance(value, bytes) or (length is not None and len(value) < length):
            raise FormatError(f"{self.path}: {PREFIX}{key} has {len(value)} items for {length} tokens", BROKEN)
        return value if length is None else value[:length]  # type: ignore[no-any-return]

    def numbers(self, key: str, length: int) -> Sequence[float]:
        """An array of numbers, cut to `length`; FormatError if it is shorter, empty if the file doesn't have it."""
        value = self.items(key, length)
        if len(value) and not isinstance(value, array):
            raise FormatError(f"{self.path}: {PREFIX}{key} holds {excerpt(value[0])}, not numbers", BROKEN)
        return value

    def strings(self, key: str) -> Sequence[bytes]:
        """An array of strings."""
        value = self.items(key)
        if value and not isinstance(value[0], bytes):
            raise FormatError(
                f"{self.path}: {PREFIX}{key} is an array of {type(value[0]).__name__}, not of strings", BROKEN
            )
        return value

    def blob(self, key: str) -> bytes:
        """An array of bytes; empty if the file doesn't have it."""
        value = self.find(key, array, "an array of bytes")
        if value is None:
            return b""
        if value.typecode not in "bB":
            raise FormatError(f"{self.path}: {PREFIX}{key} has items of type {value.typecode!r}, not bytes", BROKEN)
        return bytes(value.tobytes())
