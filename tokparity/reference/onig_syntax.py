"""A pattern in Oniguruma's syntax, written in that of the `regex` package.

The two agree on most of the syntax. Translated is what they do not agree on: `\\w`, `\\h`, `\\N`, `\\O`, `^` and `$`
(which match at every line), `\\Z`, `\\R`, escaped letters that mean nothing, `{n,m}+` (no possessive quantifier),
`{n}?` (not lazy, but optional), `{m,n}` with m above n (possessive), quantifiers of quantifiers, `(?m)` (which is about
the dot), `(?i)` alone (which encloses all branches that follow) and before properties, operators in classes. Not
reproduced: with `(?i)`, U+0130 counts as an i here, ß is not ss, and negated properties in classes ignore case.
What only `regex` knows is refused.
Source: Oniguruma's `doc/RE` and `doc/SYNTAX.md`; `tests/reference/test_onig_oracle.py` compares with Oniguruma itself.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence

import regex

from tokparity.errors import FormatError

MAX_PATTERN = 1 << 16
"""Longest pattern in characters that is translated; real ones have a few hundred."""
MAX_TRANSLATED = 1 << 18
"""Longest translation in characters that is compiled, which takes a second; one character may become three hundred."""
MAX_NODES = 1 << 18
"""What a compiled pattern may be made of, as `nodes` counts it; a million take a gigabyte."""
MAX_NESTING = 50
"""How deep groups and classes may stand in each other; in real patterns, four."""

_TOLD = 60  # characters of a pattern in an error
_AROUND = 20  # characters that are told before and behind the place of an error
_HINT = "report the pattern, or check the model's file"

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
    "N": r"[^\n]",
    "O": "(?s:.)",
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
_KEPT_OUTSIDE = frozenset("dDsStnrfvaAXKcCM")
_KEPT_INSIDE = frozenset("dDsStnrfvacCM")
"""Letters that mean the same to both behind a backslash, or an error to `regex` where we do not translate them."""

_POSIX = {
    "punct": r"\p{P}\p{S}",
    "word": _WORD_IN_CLASS,
    "digit": r"\p{Nd}",
    "alnum": r"\p{Alphabetic}\p{Nd}",
}
_CASES = frozenset(
    [
        "lu",
        "ll",
        "lt",
        "lc",
        "upper",
        "lower",
        "uppercase",
        "lowercase",
        "uppercaseletter",
        "lowercaseletter",
        "titlecaseletter",
        "casedletter",
    ]
)
"""Properties that tell capitals from small letters."""

_PROPERTIES = {"xdigit": "0-9A-Fa-f", "word": _WORD}
_NOTHING = "[a&&b]"  # `regex` takes [^\s\S] in a class for nothing at all
_CODE_POINT = re.compile(r"x\{([0-9A-Fa-f]{1,8})\}|x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|0[0-7]{0,2}")
_PROPERTY = re.compile(r"([pP])\{(\^?)([\w &=-]{1,64})\}")
_BRACES = re.compile(r"\{(?:(\d+)(?:(,)(\d*))?|,(\d+))\}")
_OPTIONS = re.compile(r"\(\?([a-z]*)(-[a-z]*)?:")
_ISOLATED = re.compile(r"\(\?[imx]*(?:-[imx]*)?\)")
_NAMED = re.compile(r"\(\?<[^\W\d]\w*>")
_SPECIAL = re.compile(r"\(\?(?:[=!>]|<[=!])")
_COMMENT = re.compile(r"\(\?#[^)]*\)")
_UNSUPPORTED = ("G", "K", "k", "g", "y", "Y")
"""Behind a backslash: what is not reproduced, or means something else to `regex`."""
_POSIX_BRACKET = re.compile(r"\[:(\^?)(\w+):\]")


def compile_translated(pattern: str) -> regex.Pattern[str]:
    """The pattern, translated and compiled; FormatError for one that can't be."""
    check_length(pattern)
    translated = translate(pattern)
    if len(translated) > MAX_TRANSLATED:
        raise _refused(pattern, 0, f"needs {len(translated)} characters, at most {MAX_TRANSLATED} are compiled")
    if (count := nodes(translated)) > MAX_NODES:
        raise _refused(pattern, 0, f"repeats repeats: {count:.1g} nodes, at most {MAX_NODES} are compiled")
    try:
        return regex.compile(translated)
    except (regex.error, RecursionError, OverflowError) as error:
        raise _refused(pattern, 0, f"is not valid: {str(error)[:_TOLD]}") from None


def check_length(pattern: str) -> None:
    """FormatError for a pattern that is too long to be looked at."""
    if len(pattern) > MAX_PATTERN:
        raise FormatError(f"regular expression of {len(pattern)} characters: at most {MAX_PATTERN} are read", _HINT)


def _closed(parts: Sequence[str]) -> str:
    """The class; one that negates negations is taken away from everything, for `regex` finds all in [^\\d\\D]."""
    if parts[1] == "^" and any(part.startswith(("[^", r"\P")) for part in parts[2:]):
        return rf"[[\x00-\U0010ffff]--[{''.join(parts[2:])}]]"
    return "".join([*parts, "]"])


def nodes(pattern: str) -> float:
    """How many nodes `regex` makes of a pattern, at most: each repeat has its body twice, so repeats of repeats double.

    Measured with regex 2025 and 2026; counted without compiling, since that is what takes the memory.
    """
    outer: list[float] = []
    total, last, classes = 0.0, 0.0, 0
    for token in re.findall(r"\\[pP]\{[^}]*\}|\\.|\(\?[a-zA-Z0-9&^<=!>:#-]*|\{\d*,?\d*\}|.", pattern, re.DOTALL):
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
            total, last = total + last, 2 * last
        else:
            total, last = total + 1, 1.0
    return sum(outer) + total


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
        self._quantified = 0  # length of `_out` behind the last quantifier
        self._groups: list[int] = []
        self._branches = [0]  # for each open group: how many groups we opened in it, which end where it ends
        self._ignores_case = re.search(r"\(\?[a-z]*i", pattern) is not None
        self._refers = re.search(r"\\[1-9]", pattern) is not None

    def run(self) -> str:
        while self._at < len(self._text):
            self._step()
        return "".join(self._out) + ")" * self._branches[0]

    def _take(self, count: int = 1) -> str:
        taken = self._text[self._at : self._at + count]
        self._at += count
        return taken

    def _refused(self, problem: str) -> FormatError:
        return _refused(self._text, self._at, problem)

    def _sees(self, start: str) -> bool:
        return self._text.startswith(start, self._at)

    def _put_atom(self, text: str) -> None:
        self._atom = len(self._out)
        self._out.append(text)

    def _step(self) -> None:
        character = self._text[self._at]
        if character == "\\":
            self._put_atom(self._property() or self._escape(_OUTSIDE, _KEPT_OUTSIDE))
        elif character == "[":
            self._put_atom(self._class(1))
        elif character == "(":
            self._open()
        elif character == ")":
            self._out.append(self._take() + ")" * (self._branches.pop() if self._groups else 0))
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
        if self._sees("{") and not braces:
            self._take()
            self._put_atom("\\{")
            return
        if self._quantified == len(self._out):
            self._wrap("(?:")
        if braces is None:
            quantifier = self._take()
            self._out.append(quantifier + (self._take() if self._sees("?") or self._sees("+") else ""))
        else:
            self._take(len(braces.group()))
            self._repeat(braces)
        self._quantified = len(self._out)

    def _repeat(self, braces: re.Match[str]) -> None:
        """`{n}`, `{n,}`, `{,m}` or `{n,m}`. A `?` belongs to all but `{n}`; what else follows is another quantifier."""
        least, comma, most, most_alone = braces.groups()
        if comma and most and int(least) > int(most):
            self._out.append(f"{{{most},{least}}}")
            self._wrap("(?>")
            return
        lazy = "?" if (comma or most_alone) and self._sees("?") else ""
        self._out.append(braces.group() + self._take(len(lazy)))

    def _wrap(self, opening: str) -> None:
        self._out.insert(self._atom, opening)
        self._out.append(")")

    def _open(self) -> None:
        isolated = _ISOLATED.match(self._text, self._at)
        if isolated:
            # To Oniguruma "a(?i)b|c" is "a(?i:b|c)".
            self._out.append(self._take(len(isolated.group()))[:-1].replace("m", "s") + ":")
            self._branches[-1] += 1
            if self._branches[-1] > MAX_NESTING:
                raise self._refused(f"changes its options more than {MAX_NESTING} times")
            return
        if comment := _COMMENT.match(self._text, self._at):
            self._take(len(comment.group()))
            return
        self._groups.append(len(self._out))
        if len(self._groups) > MAX_NESTING:
            raise self._refused(f"has groups more than {MAX_NESTING} deep")
        self._branches.append(0)
        self._out.append(self._group())

    def _group(self) -> str:
        """What opens a group; only what Oniguruma knows, since `regex` knows more (recursion, fuzziness, names)."""
        opening = _OPTIONS.match(self._text, self._at)
        if opening and (opening[1] or opening[2]):
            return self._take(len(opening.group())).replace("m", "s")
        named = _NAMED.match(self._text, self._at)
        if named and not self._refers:
            self._take(len(named.group()))
            return "(?:"
        known = named or _SPECIAL.match(self._text, self._at)
        if known:
            return self._take(len(known.group()))
        if self._sees("(?:"):
            return self._take(3)
        if self._sees("(?"):
            raise self._refused(f"opens a group with {self._text[self._at : self._at + 4]!r}, which is not supported")
        self._take()
        return "(" if self._refers else "(?:"

    def _property(self) -> str:
        """A property outside of a class, where (?i) has no say; nothing if there is none."""
        found = _PROPERTY.match(self._text, self._at + 1)
        if found is None:
            return ""
        self._take(1 + len(found.group()))
        name = re.sub("[ _-]", "", found[3]).lower()
        known = _PROPERTIES.get(name)
        if known is None:
            return f"(?-i:\\{found.group()})" if self._ignores_case and name in _CASES else "\\" + found.group()
        return f"[{'^' if (found[1] == 'P') != bool(found[2]) else ''}{known}]"

    def _escape(self, table: dict[str, str], kept: frozenset[str]) -> str:
        after = self._at + 1
        if self._text.startswith(_UNSUPPORTED, after):
            raise self._refused(f"holds {self._text[self._at : after + 1]!r}, which is not supported")
        if self._text.startswith(("p{", "P{"), after) and not _PROPERTY.match(self._text, after):
            raise self._refused("has a property without an end or a name")
        point = _CODE_POINT.match(self._text, after)
        if self._text.startswith("x{", after) and (not point or not point[1] or int(point[1], 16) > sys.maxunicode):
            raise self._refused(r"has a \x{...} that is no character")
        self._take()
        if point:
            self._take(len(point.group()))
            return f"\\U{int(point[1], 16):08x}" if point[1] else "\\" + point.group()
        named = _PROPERTY.match(self._text, self._at)
        if named:
            return "\\" + self._take(len(named.group()))
        letter = self._take()
        if letter in table:
            return table[letter]
        return letter if letter.isascii() and letter.isalpha() and letter not in kept else "\\" + letter

    def _class(self, depth: int) -> str:
        if depth > MAX_NESTING:
            raise self._refused(f"has character classes more than {MAX_NESTING} deep, or an open one")
        start = self._at
        out = [self._take()]
        if self._sees("^"):
            out.append(self._take())
        if self._sees("]"):
            out.append("\\" + self._take())
        elif self._sees("--") and not self._text.startswith(("]", "&&"), self._at + 2):
            out.append("\\" + self._take(2))  # a range that begins with "-"
        is_empty = len(out[-1]) == 1  # nothing since the beginning or the last "&&"
        while self._at < len(self._text):
            if self._sees("]"):
                self._take()
                return _closed([*out, _NOTHING if is_empty and out[-1] == "&&" else ""])
            if self._sees("&&"):
                out += _NOTHING if is_empty else "", self._take(2)
                is_empty = True
                continue
            out.append(self._member(depth))
            is_empty = False
        raise _refused(self._text, start, "has an open character class")

    def _member(self, depth: int) -> str:
        """What comes next in a class."""
        character = self._text[self._at]
        posix = _POSIX_BRACKET.match(self._text, self._at)
        if posix:
            self._take(len(posix.group()))
            known = _POSIX.get(posix[2])
            return f"[{posix[1]}{known}]" if known else f"[:{posix[1]}{posix[2]}:]"
        if character == "[":
            return self._class(depth + 1)
        if character == "\\":
            return self._escape(_INSIDE, _KEPT_INSIDE)
        if character in "-~|" and self._text[self._at + 1 : self._at + 2] == character:
            # Doubled, these are operators on sets to `regex`.
            return self._take() + "\\" + self._take()
        return self._take()
