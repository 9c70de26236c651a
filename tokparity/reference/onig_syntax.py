"""A pattern in Oniguruma's syntax, written in that of the `regex` package.

The two agree on most of the syntax. Translated is what they do not agree on: `\\w`, `\\h`, `\\N`, `\\O`, `^` and `$`
(which match at every line), `\\Z`, `\\R`, escaped letters that mean nothing, `{n,m}+` (no possessive quantifier),
`{n}?` (not lazy, but optional), `{m,n}` with m above n (possessive), quantifiers of quantifiers, `(?m)` (which is about
the dot), `(?i)` alone (which encloses all branches that follow) and before properties, operators in classes. Not
reproduced: with `(?i)`, U+0130 counts as an i here, and negated properties in classes ignore case.
Source: Oniguruma's `doc/RE` and `doc/SYNTAX.md`; `tests/reference/test_onig_oracle.py` compares with Oniguruma itself.
"""

from __future__ import annotations

import re

from tokparity.errors import FormatError

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
_PROPERTY = re.compile(r"([pP])\{(\^?)([^}]*)\}")
_BRACES = re.compile(r"\{(?:(\d+)(?:(,)(\d*))?|,(\d+))\}")
_OPTIONS = re.compile(r"\(\?([a-z]*)(-[a-z]*)?:")
_ISOLATED = re.compile(r"\(\?[imx]*(?:-[imx]*)?\)")
_NAMED = re.compile(r"\(\?<\w+>")
_POSIX_BRACKET = re.compile(r"\[:(\^?)(\w+):\]")


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
            self._put_atom(self._class())
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
            return
        self._groups.append(len(self._out))
        self._branches.append(0)
        self._out.append(self._group())

    def _group(self) -> str:
        opening = _OPTIONS.match(self._text, self._at)
        if opening and (opening[1] or opening[2]):
            return self._take(len(opening.group())).replace("m", "s")
        named = _NAMED.match(self._text, self._at)
        if named and not self._refers:
            self._take(len(named.group()))
            return "(?:"
        if self._sees("(?") or self._refers:
            return self._take(2 if self._sees("(?") else 1)
        self._take()
        return "(?:"

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
        self._take()
        point = _CODE_POINT.match(self._text, self._at)
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

    def _class(self) -> str:
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
                return "".join([*out, _NOTHING if is_empty and out[-1] == "&&" else "", self._take()])
            if self._sees("&&"):
                out += _NOTHING if is_empty else "", self._take(2)
                is_empty = True
                continue
            out.append(self._member())
            is_empty = False
        raise FormatError(f"regular expression {self._text!r} has an open character class", "check the model's file")

    def _member(self) -> str:
        """What comes next in a class."""
        character = self._text[self._at]
        posix = _POSIX_BRACKET.match(self._text, self._at)
        if posix:
            self._take(len(posix.group()))
            known = _POSIX.get(posix[2])
            return f"[{posix[1]}{known}]" if known else f"[:{posix[1]}{posix[2]}:]"
        if character == "[":
            return self._class()
        if character == "\\":
            return self._escape(_INSIDE, _KEPT_INSIDE)
        if character in "-~|" and self._text[self._at + 1 : self._at + 2] == character:
            # Doubled, these are operators on sets to `regex`.
            return self._take() + "\\" + self._take()
        return self._take()
