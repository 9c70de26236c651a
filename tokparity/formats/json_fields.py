"""Reading JSON that nobody has checked: every field has the type that it must have, or it is a FormatError."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tokparity.errors import FormatError
from tokparity.formats.excerpt import excerpt, printable

MAX_BYTES = 1 << 28
"""Largest file that is read; the largest known tokenizers have 40 MB."""

MAX_DEPTH = 16
"""How deep objects may stand in each other; in real files, five."""
MAX_ID = (1 << 31) - 1
"""Ids are 32-bit numbers to every engine."""

DAMAGED = "fetch or convert the file again"
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


def load_json(path: Path) -> JsonFields:
    """The object in a JSON file; FormatError if there is none, or if the file is unreasonably large."""
    size = path.stat().st_size
    if size > MAX_BYTES:
        raise FormatError(f"{path}: {size} bytes are too many, at most {MAX_BYTES} are read", "is it the right file?")
    try:
        raw = path.read_bytes()
        if raw.startswith(codecs.BOM_UTF8):
            told = f"{path}: begins with a byte order mark (U+FEFF), with which no library opens it"
            raise FormatError(told, "save the file as UTF-8 without it")
        text = raw.decode(json.detect_encoding(raw))
        data = json.loads(text, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        # Python names a setting of its own there, which nobody can change from outside.
        problem = "a number has thousands of digits" if "int_max_str_digits" in str(error) else error
        raise FormatError(f"{path}: not JSON: {problem}", DAMAGED) from None
    if not isinstance(data, dict):
        raise FormatError(f"{path}: holds a JSON {type(data).__name__}, not an object", DAMAGED)
    if _SURROGATE.search(text):
        _check_surrogates(path, data)
    return JsonFields(path, "", data)


def is_id(value: object) -> bool:
    """Whether a value of a JSON file is a whole number that an id can be."""
    return type(value) is int and 0 <= value <= MAX_ID


def _no_number(name: str) -> float:
    raise ValueError(f"{name} is not a number")


def _check_surrogates(path: Path, data: object) -> None:
    """FormatError for half of a surrogate pair, which no text is and no library reads."""
    left: list[tuple[str, object]] = [("", data)]
    while left:
        where, value = left.pop()
        if isinstance(value, dict):
            left += [(f"{where}key", key) for key in value]
            left += [(f"{where}{printable(key)}.", inner) for key, inner in value.items()]
        elif isinstance(value, list):
            left += [(f"{where.removesuffix('.')}[{i}].", inner) for i, inner in enumerate(value)]
        elif isinstance(value, str) and not value.isascii() and any("\ud800" <= c <= "\udfff" for c in value):
            raise FormatError(
                f"{path}: {where.removesuffix('.')} is {excerpt(value)}, half of a surrogate pair", DAMAGED
            )


@dataclass(frozen=True)
class JsonFields:
    """One object of a JSON file, and where it is in it, for messages."""

    path: Path
    where: str
    data: Mapping[str, Any]
    depth: int = 0

    def error(self, name: str, problem: str) -> FormatError:
        """What is wrong with a field."""
        return FormatError(f"{self.path}: {self.where}{name} {problem}", DAMAGED)

    def _inside(self, where: str, data: Mapping[str, Any]) -> JsonFields:
        if self.depth == MAX_DEPTH:
            raise self.error(where, f"is nested more than {MAX_DEPTH} deep")
        return JsonFields(self.path, f"{self.where}{where}.", data, self.depth + 1)

    def get(self, name: str, kind: type | tuple[type, ...], default: Any = None) -> Any:
        """A field of the given type; the default if it is absent or null."""
        value = self.data.get(name)
        if value is None:
            return default
        # A JSON true is a Python int as well.
        wrong = not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool)
        if wrong:
            raise self.error(
                name, f"is {excerpt(value if isinstance(value, str) else excerpt(value))}, a {type(value).__name__}"
            )
        return value

    def need(self, name: str, kind: type | tuple[type, ...]) -> Any:
        """Return the value of a field; FormatError if it is missing or of another type."""
        value = self.get(name, kind)
        if value is None:
            raise self.error(name, "is missing")
        return value

    def count(self, name: str, default: int, least: int = 0) -> int:
        """A whole number from `least` to the greatest number of 64 bits."""
        value = int(self.get(name, int, default))
        if value < least:
            raise self.error(name, f"is {excerpt(value)}, not at least {least}")
        if value >= 1 << 64:
            raise self.error(name, f"is {excerpt(value)}, more than 64 bits hold")
        return value

    def character(self, name: str, default: str = "") -> str:
        """A string of one character."""
        value = self.text(name, default)
        if len(value) != 1:
            raise self.error(name, f"is {excerpt(value)}, not one character")
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
        return None if value is None else self._inside(printable(name), value)

    def list_of(self, name: str) -> list[JsonFields]:
        """A list of objects."""
        return [self.item(name, i, value) for i, value in enumerate(self.get(name, list, []))]

    def item(self, name: str, index: int, value: object) -> JsonFields:
        """One object of a list."""
        if not isinstance(value, dict):
            raise self.error(f"{name}[{index}]", f"is {excerpt(value)}, not an object")
        return self._inside(f"{name}[{index}]", value)
