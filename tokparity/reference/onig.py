"""Oniguruma's regular expressions (what a tokenizer.json holds) in the syntax of the `regex` package.

The two agree on most of the syntax. Translated is what they do not agree on: `\\w`, `\\h`, `^` and `$` (which match at
every line), `\\Z`, `\\R`, `{n,m}+` (which is no possessive quantifier), `(?m)` (which is about the dot), operators in
classes. Tables are those of Unicode 16. Not reproduced: with `(?i)`, U+0130 counts as an i here.
Source: Oniguruma's `doc/RE` and `doc/SYNTAX.md` (Ruby syntax); compared with tokenizers 0.23.3 over all code points.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

import regex

from tokparity.errors import FormatError
from tokparity.reference.unicode_versions import as_of_16

MAX_PATTERN = 1 << 16
"""Longest pattern in characters that is translated; real ones have a few hundred."""

_AT_LEAST, _PER_CHARACTER = 1.0, 5e-6  # seconds: ten times what the slowest known pattern takes on a slow machine
_REPEATS = regex.compile("[*+?{]")
_TOLD = 60  # characters of a pattern and a text in an error

_WORD_IN_CLASS = r"\p{Alphabetic}\p{M}\p{Nd}\p{Pc}"
_WORD = _WORD_IN_CLASS + "²³¹¼-¾"
_OUTSIDE = {
    "w": f"[{_WORD}]",
    "W": f"[^{_WORD}]",
    "h": "[0-9A-Fa-f]",
    "H": "[^0-9A-Fa-f]",
    "b": f"(?:(?<=[{_WORD}])(?![{_WORD}])|(?<![{_WORD}])(?=[{_WORD}]))",
    "B": f"(?:(?<=[{_WORD}])(?=[{_WORD}])|(?<![{_WORD}])(?![{_WORD}]))",
    "R": r"(?>\r\n|[\n-\r\x85\u2028\u2029])",
    "z": r"\Z",
    "Z": r"(?=\n?\Z)",
    "e": r"\x1b",
}
_INSIDE = {
    "w": _WORD_IN_CLASS,
    "W": f"[^{_WORD_IN_CLASS}]",
    "h": "0-9A-Fa-f",
    "H": "[^0-9A-Fa-f]",
    "b": r"\x08",
    "e": r"\x1b",
}
_POSIX = {"punct": r"\p{P}\p{S}", "word": _WORD_IN_CLASS}
_UNSUPPORTED = ("\\G", "\\k", "\\g", "\\y", "\\Y", "(?~", "(?@")


class Pattern:
    """A compiled pattern: where it matches in a text, from left to right.

    One from a model's file may take time without end on some text: it is given up, with a FormatError, after a time
    that no sound pattern takes. To look at the clock makes matching three times slower; so what is well known is not
    watched.
    """

    def __init__(self, pattern: str) -> None:
        self._pattern = pattern
        self.covering = _compile(pattern)
        self._is_watched = _REPEATS.search(pattern) is not None and pattern not in _well_known()

    def find(self, text: str) -> Iterator[tuple[int, int]]:
        """The (start, end) of each match, empty ones as well; in an empty text nothing is looked for."""
        if not text:
            return
        last = None
        try:
            for found in self.covering.finditer(as_of_16(text), timeout=self.seconds(text)):
                start, end = found.span()
                # As in Oniguruma's find_iter, nothing is not found right behind the match before.
                if start < end or start != last:
                    yield start, end
                last = end
        except TimeoutError:
            raise self._endless(text) from None

    def words(self, text: str) -> list[str] | None:
        """The matches, if together they are the whole text; None if they are not. Quicker than `find`."""
        if as_of_16(text) != text:
            return None
        try:
            found: list[str] = self.covering.findall(text, timeout=self.seconds(text))
        except TimeoutError:
            raise self._endless(text) from None
        return found if sum(map(len, found)) == len(text) else None

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


def _compile(pattern: str) -> regex.Pattern[str]:
    hint = "report the pattern, or check the model's file"
    if len(pattern) > MAX_PATTERN:
        raise FormatError(f"regular expression of {len(pattern)} characters: at most {MAX_PATTERN} are read", hint)
    for unsupported in _UNSUPPORTED:
        if unsupported in pattern:
            raise FormatError(f"regular expression {pattern!r} holds {unsupported!r}, which is not supported", hint)
    translated = translate(pattern)
    try:
        return regex.compile(translated)
    except (regex.error, RecursionError, OverflowError) as error:
        raise FormatError(f"regular expression {pattern!r} is not valid: {error}", hint) from None


_COUNTED = re.compile(r"(\\p\{\w+\}|\[(?:\\.|[^\]\\])*\]|\\.|[^\\)])(\{\d+(?:,\d*)?\})\+")
_END = re.compile(r"(\\.|\[(?:\\.|[^\]\\])*\])|\$")


def of_fancy_regex(pattern: str) -> str:
    """A pattern of fancy-regex in Oniguruma's syntax: `x{n,m}+` is possessive there, and `$` the end of the text."""
    pattern = _COUNTED.sub(r"(?>\1\2)", pattern)
    return _END.sub(lambda found: found[1] or r"\z", pattern)


def translate(pattern: str) -> str:
    """The pattern in the syntax of `regex`, with the flags that make both mean the same."""
    return "(?V1)(?-f)" + _Translator(pattern).run()


class _Translator:
    """One walk over a pattern."""

    def __init__(self, pattern: str) -> None:
        self._text = pattern
        self._at = 0
        self._out: list[str] = []
        self._atom = 0  # index in `_out` at which the last atom begins
        self._groups: list[int] = []
        self._refers = regex.search(r"\\[1-9]", pattern) is not None

    def run(self) -> str:
        while self._at < len(self._text):
            self._step()
        return "".join(self._out)

    def _take(self, count: int = 1) -> str:
        taken = self._text[self._at : self._at + count]
        self._at += count
        return taken

    def _put_atom(self, text: str) -> None:
        self._atom = len(self._out)
        self._out.append(text)

    def _step(self) -> None:
        character = self._text[self._at]
        if character == "\\":
            self._put_atom(self._escape(_OUTSIDE))
        elif character == "[":
            self._put_atom(self._class())
        elif character == "(":
            self._groups.append(len(self._out))
            self._out.append(self._group())
        elif character == ")":
            self._out.append(self._take())
            self._atom = self._groups.pop() if self._groups else 0
        elif character in "*+?{":
            self._quantifier()
        elif character in "^$":
            self._take()
            self._put_atom(r"(?:\A|(?<=\n)(?!\Z))" if character == "^" else r"(?=\n|\Z)")
        else:
            self._put_atom(self._take())

    def _quantifier(self) -> None:
        braces = regex.compile(r"\{\d*,?\d*\}").match(self._text, self._at)
        if not braces:
            self._out.append(self._take() if self._text[self._at] != "{" else "\\" + self._take())
            return
        self._out.append(self._take(len(braces.group())))
        if self._text.startswith("+", self._at):
            # Once or more of the whole; in `regex` it would be a possessive quantifier.
            self._out.insert(self._atom, "(?:")
            self._out.append(")")

    def _group(self) -> str:
        opening = regex.compile(r"\(\?([a-z]*)(-[a-z]*)?[:)]").match(self._text, self._at)
        if opening and (opening[1] or opening[2]):
            if opening.group().endswith(")"):
                self._groups.pop()
            return self._take(len(opening.group())).replace("m", "s")
        named = regex.compile(r"\(\?<\w+>").match(self._text, self._at)
        if named and not self._refers:
            self._take(len(named.group()))
            return "(?:"
        if self._text.startswith("(?", self._at) or self._refers:
            return self._take(2 if self._text.startswith("(?", self._at) else 1)
        self._take()
        return "(?:"

    def _escape(self, table: dict[str, str]) -> str:
        self._take()
        if self._text.startswith("x{", self._at):
            end = self._text.find("}", self._at)
            return f"\\U{int(self._take(end + 1 - self._at)[2:-1], 16):08x}"
        if regex.compile(r"[pP]\{").match(self._text, self._at):
            return "\\" + self._take(self._text.find("}", self._at) + 1 - self._at)
        letter = self._take()
        return table.get(letter, "\\" + letter)

    def _class(self) -> str:
        out = [self._take()]
        if self._text.startswith("^", self._at):
            out.append(self._take())
        if self._text.startswith("]", self._at):
            out.append("\\" + self._take())
        while self._at < len(self._text):
            character = self._text[self._at]
            posix = regex.compile(r"\[:(\^?)(\w+):\]").match(self._text, self._at)
            if posix:
                self._take(len(posix.group()))
                known = _POSIX.get(posix[2])
                negated = "^" if posix[1] else ""
                out.append(f"[{negated}{known}]" if known else f"[:{negated}{posix[2]}:]")
            elif character == "[":
                out.append(self._class())
            elif character == "]":
                return "".join([*out, self._take()])
            elif character == "\\":
                out.append(self._escape(_INSIDE))
            elif character in "-~|" and self._text[self._at + 1 : self._at + 2] == character:
                # Doubled, these are operators on sets to `regex`.
                out += self._take(), "\\" + self._take()
            else:
                out.append(self._take())
        raise FormatError(f"regular expression {self._text!r} has an open character class", "check the model's file")
