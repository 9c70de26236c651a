"""Reading JSON that nobody has checked: every field has the type that it must have, or it is a FormatError."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tokparity.errors import FormatError

MAX_BYTES = 1 << 28
"""Largest file that is read; the largest known tokenizers have 40 MB."""

DAMAGED = "fetch or convert the file again"


def load_json(path: Path) -> JsonFields:
    """The object in a JSON file; FormatError if there is none, or if the file is unreasonably large."""
    size = path.stat().st_size
    if size > MAX_BYTES:
        raise FormatError(f"{path}: {size} bytes are too many, at most {MAX_BYTES} are read", "is it the right file?")
    try:
        data = json.loads(path.read_bytes())
    except (ValueError, RecursionError) as error:
        raise FormatError(f"{path}: no JSON: {error}", DAMAGED) from None
    if not isinstance(data, dict):
        raise FormatError(f"{path}: holds a JSON {type(data).__name__}, not an object", DAMAGED)
    return JsonFields(path, "", data)


@dataclass(frozen=True)
class JsonFields:
    """One object of a JSON file, and where it is in it, for messages."""

    path: Path
    where: str
    data: Mapping[str, Any]

    def error(self, name: str, problem: str) -> FormatError:
        """What is wrong with a field."""
        return FormatError(f"{self.path}: {self.where}{name} {problem}", DAMAGED)

    def get(self, name: str, kind: type | tuple[type, ...], default: Any = None) -> Any:
        """A field of the given type; the default if it is absent or null."""
        value = self.data.get(name)
        if value is None:
            return default
        # A JSON true is a Python int as well.
        wrong = not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool)
        if wrong:
            raise self.error(name, f"is {str(value)[:60]!r}, a {type(value).__name__}")
        return value

    def need(self, name: str, kind: type | tuple[type, ...]) -> Any:
        """A field that has to be there."""
        value = self.get(name, kind)
        if value is None:
            raise self.error(name, "is missing")
        return value

    def text(self, name: str, default: str = "") -> str:
        """A string."""
        return str(self.get(name, str, default))

    def flag(self, name: str, default: bool) -> bool:
        """A boolean."""
        return bool(self.get(name, bool, default))

    def inner(self, name: str) -> JsonFields | None:
        """An object inside, None if it is absent or null."""
        value = self.get(name, dict)
        return None if value is None else JsonFields(self.path, f"{self.where}{name}.", value)

    def list_of(self, name: str) -> list[JsonFields]:
        """A list of objects."""
        return [self.item(name, i, value) for i, value in enumerate(self.get(name, list, []))]

    def item(self, name: str, index: int, value: object) -> JsonFields:
        """One object of a list."""
        if not isinstance(value, dict):
            raise self.error(f"{name}[{index}]", f"is {str(value)[:60]!r}, not an object")
        return JsonFields(self.path, f"{self.where}{name}[{index}].", value)
