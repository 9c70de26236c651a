"""What a pattern from a model's file may ask for, and the error that says which part of it asks for more."""

from __future__ import annotations

import re
from collections.abc import Callable

from tokparity.errors import FormatError

MAX_PATTERN = 1 << 16
"""Longest pattern in characters that is translated; real ones have a few hundred."""
MAX_TRANSLATED = 1 << 18
"""Longest translation in characters that is compiled, which takes a second; one character may become three hundred."""
MAX_NODES = 1 << 18
"""What a compiled pattern may be made of, as `nodes` counts it; a million take a gigabyte."""
MAX_UNROLLED = 1 << 17
"""Longest pattern with all counted repeats written out, as `unrolled` counts it; a million may take some gigabytes."""
MAX_CLASSES = 1 << 8
"""How many different classes, each compiled by itself, may stand where case is ignored; in real patterns, one."""
MAX_NESTING = 50
"""How deep groups and classes may stand in each other; in real patterns, four."""

_TOLD = 60  # characters of a pattern in an error
_AROUND = 20  # characters that are told before and behind the place of an error
_HINT = "report the pattern, or check the model's file"


def check_length(pattern: str) -> None:
    """FormatError for a pattern that is too long to be looked at."""
    if len(pattern) > MAX_PATTERN:
        raise FormatError(f"regular expression of {len(pattern)} characters: at most {MAX_PATTERN} are read", _HINT)


def refused(pattern: str, at: int, problem: str) -> FormatError:
    """What is wrong with a pattern: the part of it around the place, the place, the problem."""
    start = max(at - _AROUND, 0)
    part = pattern if len(pattern) <= _TOLD else pattern[start : at + _AROUND]
    place = f" at character {at}" if at else ""
    return FormatError(f"regular expression {part!r}{place} {problem}", _HINT)


def nodes(pattern: str) -> float:
    """How many nodes `regex` makes of a pattern, at most: each repeat has its body twice, so repeats of repeats double.

    Measured with regex 2025 and 2026; counted without compiling, since that is what takes the memory.
    """
    return _size(pattern, lambda count: 2.0)


def unrolled(pattern: str) -> float:
    """How long a pattern is with each counted repeat written out, as `regex` writes out what a text must hold."""
    return _size(pattern, lambda count: max(1.0, float(_LEAST.match(count)[1] or 1)))  # type: ignore[index]


_ENDLESS = 1e18
_LEAST = re.compile(r"\{?(\d*)")
_TOKEN = re.compile(r"\\[pP]\{[^}]*\}|\\.|\(\?[a-zA-Z0-9&^<=!>:#-]*|\{\d*,?\d*\}|.", re.DOTALL)


def _size(pattern: str, times: Callable[[str], float]) -> float:
    """Everything in a pattern counted, what is repeated this many times as `times` says of the repeat."""
    outer: list[float] = []
    total, last, classes = 0.0, 0.0, 0
    for token in _TOKEN.findall(pattern):
        if classes or token == "[":
            classes += {"[": 1, "]": -1}.get(token, 0)
            total, last = (total + 1, 1.0) if not classes else (total, last)
        elif token.startswith("("):
            outer.append(total)
            total = 0.0
        elif token == ")" and outer:
            last = total + 1
            total = outer.pop() + last
        elif token in ("*", "+", "?") or token.startswith("{"):
            more = min(last * times(token), _ENDLESS)
            total, last = total - last + more, more
        else:
            total, last = total + 1, 1.0
    return sum(outer) + total
