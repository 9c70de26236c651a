"""A pattern in Oniguruma's syntax, written in that of the `regex` package.

The two agree on most of the syntax. Translated is what they do not agree on: `\\w`, `\\h`, `\\N`, `\\O`, `^` and `$`
(which match at every line), `\\Z`, `\\R`, escaped letters that mean nothing, `{n,m}+` (no possessive quantifier),
`{n}?` (not lazy, but optional), `{m,n}` with m above n (possessive), quantifiers of quantifiers, `(?m)` (which is about
the dot), `(?i)` alone (which encloses all branches that follow) and before properties, operators in classes, and with
`(?i)` what stands in `onig_case`. Not reproduced: with `(?i)`, negated properties in classes ignore case. Refused is
what only `regex` knows, and with `(?i)` a group between the letters of "ss" and the like, and a reference to a group.
Source: Oniguruma's `doc/RE` and `doc/SYNTAX.md`; `tests/reference/test_onig_oracle.py` compares with Oniguruma itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tokparity.reference.onig_case import character_class, joined, literals
from tokparity.reference.onig_classes import CharacterReader, character_of
from tokparity.reference.onig_limits import MAX_CLASSES, MAX_NESTING, refused
from tokparity.reference.onig_names import KEPT_OUTSIDE, OUTSIDE

_BRACES = re.compile(r"\{(?:(\d+)(?:(,)(\d*))?|,(\d+))\}")
_OPTIONS = re.compile(r"\(\?([a-z]*)(-[a-z]*)?:")
_ISOLATED = re.compile(r"\(\?[imx]*(?:-[imx]*)?\)")
_NAMED = re.compile(r"\(\?<[^\W\d]\w*>")
_SPECIAL = re.compile(r"\(\?(?:[=!>]|<[=!])")
_COMMENT = re.compile(r"\(\?#[^)]*\)")
_BETWEEN = re.compile(r"\((?:\?:)?|\)+|\{1(?:,1)?\}")
"""What may stand between two strings that Oniguruma joins to one."""


def translate(pattern: str) -> str:
    """The pattern in the syntax of `regex`, with the flags that make both mean the same.

    Each step takes at least one character of the pattern and nests at most MAX_NESTING deep. So it ends, and its
    result is in proportion to the pattern.
    """
    return "(?V1)(?-f)" + _Translator(pattern).run()


def atoms(pattern: str) -> list[str]:
    """What the pattern repeats and puts in a row, in the syntax of `regex`: classes, properties, single characters."""
    translator = _Translator(pattern)
    translator.run()
    return translator.atoms


class _Literal(str):
    """A literal character where case is ignored, as it is spelled in the pattern."""

    character: str
    looks_behind: bool

    def __new__(cls, spelled: str, character: str, looks_behind: bool) -> _Literal:
        self = super().__new__(cls, spelled)
        self.character, self.looks_behind = character, looks_behind
        return self


class _Translator(CharacterReader):
    """One walk over a pattern."""

    def __init__(self, pattern: str) -> None:
        super().__init__(pattern)
        self._out: list[str] = []
        self.atoms: list[str] = []
        self._atom = 0  # index in `_out` at which the last atom begins
        self._quantified = 0  # length of `_out` behind the last quantifier
        self._groups: list[int] = []
        self._branches = [0]  # for each open group: how many groups we opened in it, which end where it ends
        self._outer: list[tuple[bool, bool]] = []  # for each open group: how case and place were before it
        self._looks_behind = False
        self._classes: set[str] = set()  # where case is ignored
        self._refers = re.search(r"\\[1-9]", pattern) is not None

    def run(self) -> str:
        while self.at < len(self.text):
            self._step()
        return "".join(self._in_any_case()) + ")" * self._branches[0]

    def _in_any_case(self) -> Iterator[str]:
        """What was put out, with runs of literal characters as they are found where case is ignored."""
        at, before, between = 0, "", False
        while at < len(self._out):
            run = self._run(at)
            if not run:
                between = between and _BETWEEN.fullmatch(self._out[at]) is not None
                yield self._out[at]
                at += 1
                continue
            characters = "".join(literal.character for literal in run)
            if between and joined(before, characters[:2]):
                part = before + characters[:2]
                raise refused(self.text, 0, f"ignores case and has a group within {part!r}, which is not supported")
            for count, pattern in literals(characters, run[0].looks_behind):
                yield pattern or "".join(self._out[at : at + count])
                at += count
            before, between = characters[-2:], at == len(self._out) or not isinstance(self._out[at], _Literal)

    def _run(self, start: int) -> list[_Literal]:
        """The literal characters from a place on that are one string; a quantifier has a character of its own."""
        run: list[_Literal] = []
        for at in range(start, len(self._out)):
            token = self._out[at]
            if not isinstance(token, _Literal):
                return run[:-1] if len(run) > 1 and token.startswith(("*", "+", "?", "{")) else run
            run.append(token)
        return run

    def _class_in_any_case(self, translated: str) -> str:
        self._classes.add(translated)
        if len(self._classes) > MAX_CLASSES:
            raise self.refused(f"ignores case in more than {MAX_CLASSES} different classes")
        return character_class(translated)

    def _put_atom(self, text: str, character: str = "") -> None:
        """Put out what can be quantified; `character` is what it represents if it is one character."""
        self._atom = len(self._out)
        self.atoms.append(character or text)
        ignored = self.ignores_case and character
        self._out.append(_Literal(text, character, self._looks_behind) if ignored else text)

    def _step(self) -> None:
        character = self.text[self.at]
        if character == "\\":
            if found := self.property():
                self._put_atom(found)
            else:
                escaped = self.escape(OUTSIDE, KEPT_OUTSIDE)
                self._put_atom(escaped, character_of(escaped))
        elif character == "[":
            found = self.character_class(1)
            self._put_atom(self._class_in_any_case(found) if self.ignores_case else found)
        elif character == "(":
            self._open()
        elif character == ")":
            self._out.append(self.take() + ")" * (self._branches.pop() if self._groups else 0))
            self._atom = self._groups.pop() if self._groups else 0
            self.ignores_case, self._looks_behind = self._outer.pop() if self._outer else (False, False)
        elif character in "*+?{":
            self._quantifier()
        elif character in "^$":
            self.take()
            self._put_atom(r"(?:\A|(?<=\n)(?!\Z))" if character == "^" else r"(?=\n|\Z)")
        else:
            self._put_atom(self.take(), character if character not in ".|" else "")

    def _quantifier(self) -> None:
        braces = _BRACES.match(self.text, self.at)
        if self.sees("{") and not braces:
            self.take()
            self._put_atom("\\{")
            return
        if self._quantified == len(self._out):
            self._wrap("(?:")
        if braces is None:
            quantifier = self.take()
            self._out.append(quantifier + (self.take() if self.sees("?") or self.sees("+") else ""))
        else:
            self.take(len(braces.group()))
            self._repeat(braces)
        self._quantified = len(self._out)

    def _repeat(self, braces: re.Match[str]) -> None:
        """`{n}`, `{n,}`, `{,m}` or `{n,m}`. A `?` belongs to all but `{n}`; what else follows is another quantifier."""
        least, comma, most, most_alone = braces.groups()
        if comma and most and int(least) > int(most):
            self._out.append(f"{{{most},{least}}}")
            self._wrap("(?>")
            return
        lazy = "?" if (comma or most_alone) and self.sees("?") else ""
        self._out.append(braces.group() + self.take(len(lazy)))

    def _wrap(self, opening: str) -> None:
        self._out.insert(self._atom, opening)
        self._out.append(")")

    def _open(self) -> None:
        isolated = _ISOLATED.match(self.text, self.at)
        if isolated:
            # To Oniguruma "a(?i)b|c" is "a(?i:b|c)".
            self._out.append(self._options(self.take(len(isolated.group()))[:-1] + ":"))
            self._branches[-1] += 1
            if self._branches[-1] > MAX_NESTING:
                raise self.refused(f"changes its options more than {MAX_NESTING} times")
            return
        if comment := _COMMENT.match(self.text, self.at):
            self.take(len(comment.group()))
            return
        self._groups.append(len(self._out))
        if len(self._groups) > MAX_NESTING:
            raise self.refused(f"has groups more than {MAX_NESTING} deep")
        self._branches.append(0)
        self._outer.append((self.ignores_case, self._looks_behind))
        self._out.append(self._group())

    def _group(self) -> str:
        """What opens a group; only what Oniguruma knows, since `regex` knows more (recursion, fuzziness, names)."""
        opening = _OPTIONS.match(self.text, self.at)
        if opening and (opening[1] or opening[2]):
            return self._options(self.take(len(opening.group())))
        named = _NAMED.match(self.text, self.at)
        if named and not self._refers:
            self.take(len(named.group()))
            return "(?:"
        known = named or _SPECIAL.match(self.text, self.at)
        if known:
            self._looks_behind |= known is not named and "<" in known.group()
            return self.take(len(known.group()))
        if self.sees("(?:"):
            return self.take(3)
        if self.sees("(?"):
            raise self.refused(f"opens a group with {self.text[self.at : self.at + 4]!r}, which is not supported")
        self.take()
        return "(" if self._refers else "(?:"

    def _options(self, opening: str) -> str:
        """What changes options, for `regex`; from here on case counts or not."""
        on, _, off = opening.partition("-")
        self.ignores_case = (self.ignores_case or "i" in on) and "i" not in off
        if self.ignores_case and self._refers:
            raise self.refused("ignores case and refers back to a group, which is not supported")
        return opening.replace("m", "s")
