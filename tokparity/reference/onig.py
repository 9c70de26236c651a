"""Oniguruma's regular expressions (what a tokenizer.json holds), run by the `regex` package.

`onig_syntax` translates a pattern; here it is looked for as Oniguruma does. Tables are those of Unicode 16.
Source: compared with tokenizers 0.23.3 over all code points, and with Oniguruma 6.9.10 on generated patterns.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import regex

from tokparity.errors import FormatError
from tokparity.reference.onig_limits import (
    MAX_NODES,
    MAX_TRANSLATED,
    MAX_UNROLLED,
    check_length,
    nodes,
    refused,
    unrolled,
)
from tokparity.reference.onig_syntax import translate
from tokparity.reference.unicode_versions import as_of_16

_AT_LEAST, _PER_CHARACTER = 1.0, 5e-6  # seconds: ten times what the slowest known pattern takes on a slow machine
_REPEATS = regex.compile("[*+?{]")
_TOLD = 60  # characters of a pattern and a text in an error


def _compiled(pattern: str) -> regex.Pattern[str]:
    """The pattern, translated and compiled; FormatError for one that can't be."""
    check_length(pattern)
    translated = translate(pattern)
    if len(translated) > MAX_TRANSLATED:
        raise refused(pattern, 0, f"needs {len(translated)} characters, at most {MAX_TRANSLATED} are compiled")
    if (count := nodes(translated)) > MAX_NODES:
        raise refused(pattern, 0, f"repeats repeats: {count:.1g} nodes, at most {MAX_NODES} are compiled")
    if (length := unrolled(translated)) > MAX_UNROLLED:
        raise refused(pattern, 0, f"is {length:.1g} characters with its repeats written out, at most {MAX_UNROLLED}")
    try:
        return regex.compile(translated)
    except (regex.error, RecursionError, OverflowError) as error:
        raise refused(pattern, 0, f"is not valid: {str(error)[:_TOLD]}") from None


class Pattern:
    """A compiled pattern: where it matches in a text, from left to right.

    A pattern from a model's file may take endless time on some text. It is given up, with a FormatError, after a time
    that no sound pattern takes. To look at the clock makes matching three times slower; so what is well known is not
    watched.
    """

    def __init__(self, pattern: str) -> None:
        self._pattern = pattern
        self.covering = _compiled(pattern)
        self._is_watched = _REPEATS.search(pattern) is not None and pattern not in _well_known()

    def find(self, text: str) -> Iterator[tuple[int, int]]:
        """The (start, end) of each match, empty ones as well; in an empty text nothing is looked for."""
        if not text:
            return
        try:
            yield from self._find(as_of_16(text), self.seconds(text))
        except TimeoutError:
            raise self._endless(text) from None

    def _find(self, text: str, seconds: float | None) -> Iterator[tuple[int, int]]:
        """As the `onig` crate's `find_iter`: nothing is not found right behind a match.

        Where nothing was found, or would have been but for that, it looks on from the next character; `regex` would
        look for something at the same place first.
        """
        last: int | None = None
        empty: int | None = None
        position: int | None = 0
        while position is not None:
            matches = self.covering.finditer(text, pos=position, timeout=seconds)
            position = None
            for found in matches:
                start, end = found.span()
                if start == empty:
                    position = start + 1
                    break
                if start == end:
                    empty = start
                if start < end or start != last:
                    yield start, end
                last = end

    def words(self, text: str) -> list[str] | None:
        """The matches, if together they are the whole text and none is empty, else None. Quicker than `find`."""
        # With groups, `findall` gives these and not the matches.
        if self.covering.groups or as_of_16(text) != text:
            return None
        try:
            found: list[str] = self.covering.findall(text, timeout=self.seconds(text))
        except TimeoutError:
            raise self._endless(text) from None
        return found if sum(map(len, found)) == len(text) and "" not in found else None

    def seconds(self, text: str) -> float | None:
        """How long the pattern may take on a text; None for as long as it likes."""
        return time_limit(text) if self._is_watched else None

    def _endless(self, text: str) -> FormatError:
        start = text if len(text) <= _TOLD else text[:_TOLD] + "..."
        return FormatError(
            f"regular expression {self._pattern[:_TOLD]!r} was given up after {time_limit(text):.0f} s on {start!r}",
            "an engine may hang there; check the pattern in the model's file",
        )


def time_limit(text: str) -> float:
    """Seconds that a pattern from a model's file may take on a text."""
    return _AT_LEAST + _PER_CHARACTER * len(text)


@cache
def _well_known() -> frozenset[str]:
    """The patterns of known models, as their files and we spell them."""
    from tokparity.reference import pretokeniser_patterns

    found: set[str] = set()
    for value in vars(pretokeniser_patterns).values():
        found.update([value] if isinstance(value, str) else value if isinstance(value, tuple) else ())
    return frozenset(found)


@cache
def compile_onig(pattern: str) -> Pattern:
    """A pattern in Oniguruma's syntax, ready to be looked for; FormatError for one that can't be translated."""
    return Pattern(pattern)
