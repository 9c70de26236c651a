"""Patterns of fancy-regex, which tiktoken has, in Oniguruma's syntax."""

from __future__ import annotations

import re

from tokparity.reference.onig_limits import check_length

_CLASS = r"\[(?:\\.|[^\]\\]|\\\Z)*+(?:\]|\Z)"
# Each match takes an atom and never gives part of it back, so that an open class is looked at once.
_COUNTED = re.compile(rf"((?>\\p\{{\w+\}}|{_CLASS}|\\.|.))(?:(\{{\d+(?:,\d*)?\}})\+)?", re.DOTALL)
_END = re.compile(rf"(\\.|{_CLASS})|\$", re.DOTALL)


def of_fancy_regex(pattern: str) -> str:
    """A pattern of fancy-regex in Oniguruma's syntax: `x{n,m}+` is possessive there, and `$` the end of the text."""
    check_length(pattern)
    pattern = _COUNTED.sub(
        lambda found: found[0] if not found[2] or found[1] == ")" else f"(?>{found[1]}{found[2]})", pattern
    )
    return _END.sub(lambda found: found[1] or r"\z", pattern)
