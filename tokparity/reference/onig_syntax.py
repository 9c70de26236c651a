"""Oniguruma's regular expressions in the syntax of the `regex` package.

The two agree on most of the syntax. Translated is what they do not agree on: `\\w`, `\\h`, `^` and `$` (which match at
every line), `\\Z`, `\\R`, `{n,m}+` (which is no possessive quantifier), `(?m)` (which is about the dot), operators in
classes. Not reproduced: with `(?i)`, U+0130 counts as an i here. What only `regex` knows is refused.
Source: Oniguruma's `doc/RE` and `doc/SYNTAX.md` (Ruby syntax); compared with tokenizers 0.23.3 over all code points.
"""

from __future__ import annotations

import re
import sys

import regex

from tokparity.errors import FormatError

MAX_PATTERN = 1 << 16
"""Longest pattern in characters that is translated; real ones have a few hundred."""
MAX_TRANSLATED = 1 << 18
"""Longest translation in characters that is compiled, which takes a second; one character may become three hundred."""
MAX_NESTING = 50
"""How deep groups and classes may stand in each other; in real patterns, four."""

_TOLD = 60  # characters of a pattern in an error
_AROUND = 20  # characters that are told before and behind the place of an error

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
_UNSUPPORTED = ("G", "k", "g", "y", "Y", "m", "M", "N{", "L<")
"""Behind a backslash: what is not reproduced, or means something else to `regex`."""
_BRACES = regex.compile(r"\{\d*,?\d*\}")
_FLAGS = regex.compile(r"\(\?([imx]*)(-[imx]*)?[:)]")
_NAMED = regex.compile(r"\(\?<[^\W\d]\w*>")
_SPECIAL = regex.compile(r"\(\?(?:[=!>]|<[=!])")
_COMMENT = regex.compile(r"\(\?#[^)]*\)")
_CODE = regex.compile(r"x\{([0-9A-Fa-f]{1,8})\}")
_PROPERTY = regex.compile(r"[pP]\{\^?[\w &=-]{1,64}\}")
_POSIX_CLASS = regex.compile(r"\[:(\^?)(\w+):\]")
_HINT = "report the pattern, or check the model's file"


def compile_translated(pattern: str) -> regex.Pattern[str]:
    """The pattern, translated and compiled; FormatError for one that can't be."""
    check_length(pattern)
    translated = translate(pattern)
    if len(translated) > MAX_TRANSLATED:
        raise _refused(pattern, 0, f"needs {len(translated)} characters, at most {MAX_TRANSLATED} are compiled")
    try:
        return regex.compile(translated)
    except (regex.error, RecursionError, OverflowError) as error:
        raise _refused(pattern, 0, f"is not valid: {str(error)[:_TOLD]}") from None


def check_length(pattern: str) -> None:
    """FormatError for a pattern that is too long to be looked at."""
    if len(pattern) > MAX_PATTERN:
        raise FormatError(f"regular expression of {len(pattern)} characters: at most {MAX_PATTERN} are read", _HINT)


def _refused(pattern: str, at: int, problem: str) -> FormatError:
    """What is wrong with a pattern: the part of it around the place, the place, the problem."""
    start = max(at - _AROUND, 0)
    part = pattern if len(pattern) <= _TOLD else pattern[start : at + _AROUND]
    place = f" at character {at}" if at else ""
    return FormatError(f"regular expression {part!r}{place} {problem}", _HINT)


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


def translate(pattern: str) -> str:
    """The pattern in the syntax of `regex`, with the flags that make both mean the same.

    Each step takes at least one character of the pattern and nests at most MAX_NESTING deep, so it ends, and what it
    gives is in proportion to the pattern.
    """
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

    def _refused(self, problem: str) -> FormatError:
        return _refused(self._text, self._at, problem)

    def _step(self) -> None:
        character = self._text[self._at]
        if character == "\\":
            self._put_atom(self._escape(_OUTSIDE))
        elif character == "[":
            self._put_atom(self._class(1))
        elif character == "(":
            self._groups.append(len(self._out))
            if len(self._groups) > MAX_NESTING:
                raise self._refused(f"has groups more than {MAX_NESTING} deep")
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
        braces = _BRACES.match(self._text, self._at)
        if not braces:
            self._out.append(self._take() if self._text[self._at] != "{" else "\\" + self._take())
            return
        self._out.append(self._take(len(braces.group())))
        if self._text.startswith("+", self._at):
            # Once or more of the whole; in `regex` it would be a possessive quantifier.
            self._out.insert(self._atom, "(?:")
            self._out.append(")")

    def _group(self) -> str:
        """What opens a group; only what Oniguruma knows, since `regex` knows more (recursion, fuzziness, names)."""
        if comment := _COMMENT.match(self._text, self._at):
            self._groups.pop()
            self._take(len(comment.group()))
            return ""
        if opening := _FLAGS.match(self._text, self._at):
            if opening.group().endswith(")"):
                self._groups.pop()
            return self._take(len(opening.group())).replace("m", "s")
        if named := _NAMED.match(self._text, self._at):
            return self._take(len(named.group())) if self._refers else self._plain_group(len(named.group()))
        if special := _SPECIAL.match(self._text, self._at):
            return self._take(len(special.group()))
        if self._text.startswith("(?", self._at):
            raise self._refused(f"opens a group with {self._text[self._at : self._at + 4]!r}, which is not supported")
        return self._take() if self._refers else self._plain_group(1)

    def _plain_group(self, length: int) -> str:
        """A group that nothing refers to need not be remembered."""
        self._take(length)
        return "(?:"

    def _escape(self, table: dict[str, str]) -> str:
        after = self._at + 1
        if self._text.startswith(_UNSUPPORTED, after):
            raise self._refused(f"holds {self._text[self._at : after + 1]!r}, which is not supported")
        if self._text.startswith("x{", after):
            return self._code(_CODE.match(self._text, after))
        if self._text.startswith(("p{", "P{"), after):
            found = _PROPERTY.match(self._text, after)
            if not found:
                raise self._refused("has a property without an end or a name")
            return self._take(1 + len(found.group()))
        self._take()
        letter = self._take()
        return table.get(letter, "\\" + letter)

    def _code(self, found: regex.Match[str] | None) -> str:
        """A character by its number, as `regex` spells it."""
        if not found or int(found[1], 16) > sys.maxunicode:
            raise self._refused(r"has a \x{...} that is no character")
        self._take(1 + len(found.group()))
        return f"\\U{int(found[1], 16):08x}"

    def _class(self, depth: int) -> str:
        if depth > MAX_NESTING:
            raise self._refused(f"has character classes more than {MAX_NESTING} deep, or an open one")
        start = self._at
        out = [self._take()]
        if self._text.startswith("^", self._at):
            out.append(self._take())
        if self._text.startswith("]", self._at):
            out.append("\\" + self._take())
        while self._at < len(self._text):
            character = self._text[self._at]
            if character == "]":
                return "".join([*out, self._take()])
            if character == "[":
                posix = _POSIX_CLASS.match(self._text, self._at)
                out.append(self._posix(posix) if posix else self._class(depth + 1))
            elif character == "\\":
                out.append(self._escape(_INSIDE))
            elif character in "-~|" and self._text[self._at + 1 : self._at + 2] == character:
                # Doubled, these are operators on sets to `regex`.
                out += self._take(), "\\" + self._take()
            else:
                out.append(self._take())
        raise _refused(self._text, start, "has an open character class")

    def _posix(self, found: regex.Match[str]) -> str:
        self._take(len(found.group()))
        known, negated = _POSIX.get(found[2]), "^" if found[1] else ""
        return f"[{negated}{known}]" if known else f"[:{negated}{found[2]}:]"
