"""A TOML text taken apart into words, so that its bounds hold before a parser sees it, and lines are known.

A parser takes time that grows with the square of a key's levels. It can have no more levels of brackets than Python
has frames; see `MAX_LEVELS`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from typing import Any

MAX_BYTES = 1 << 20
"""Bytes of a file; an accepted finding takes some hundreds."""
MAX_ITEMS = 1024
"""Texts in one list."""
MAX_LEVELS = 16
"""Levels of brackets, and words of one key with dots."""
MAX_WORD = 1024
"""Characters of one number, date or key without quotes."""

_WORDS = re.compile(
    r'"""(?:[^"\\]+|\\.|"(?!""))*+(?:"{3,5}|\\?\Z)|'
    r"'''(?:[^']+|'(?!''))*+(?:'{3,5}|\Z)|"
    r'"(?:[^"\\\n]+|\\[^\n])*+"?|'
    r"'[^'\n]*'?|\#[^\n]*|[\w+:-]+|.",
    re.DOTALL,
)
"""Texts, comments, words and single signs. A text without its end goes on to the last possible one."""


class TomlError(ValueError):
    """An error for a text that is not TOML or exceeds a limit; its message is a sentence without a subject."""


def parsed(text: str) -> dict[str, Any]:
    """What a TOML text says; raises TomlError."""
    _check_bounds(text)
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise TomlError(f"is not TOML: {error}") from error


def ends_of_statements(text: str) -> Iterator[int]:
    """The number of lines up to the end of each statement, comment or empty line of a valid text, from 1 on."""
    depth = line = 0
    for word in _words(text):
        line += word.count("\n")
        depth += (word in "[{") - (word in "]}")
        if word == "\n" and depth == 0:
            yield line
    if not text.endswith("\n"):
        yield line + 1


def _words(text: str) -> Iterator[str]:
    return (found.group() for found in _WORDS.finditer(text))


def _check_bounds(text: str) -> None:
    """Raise TomlError where a parser would take too long, or fail."""
    depth = dots = 0
    for word in _words(text):
        depth = max(depth + (word in "[{") - (word in "]}"), 0)
        dots = dots + 1 if word == "." else dots if word[0] in "\"' \t" or word[0].isalnum() or word[0] in "_-" else 0
        if depth > MAX_LEVELS or dots >= MAX_LEVELS:
            what = "brackets" if depth > MAX_LEVELS else "a key"
            raise TomlError(f"has {what} of more than {MAX_LEVELS} levels")
        if len(word) > MAX_WORD and word[0] not in "\"'#":
            raise TomlError(f"has a word of {len(word)} characters without quotes, at most {MAX_WORD} are read")
