"""Escapes, properties and classes of a pattern in Oniguruma's syntax, written in that of the `regex` package."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence

from tokparity.errors import FormatError
from tokparity.reference.onig_limits import MAX_NESTING, refused
from tokparity.reference.onig_names import CASES, INSIDE, KEPT_INSIDE, NOTHING, POSIX, PROPERTIES

_CODE_POINT = re.compile(r"x\{([0-9A-Fa-f]{1,8})\}|x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|0[0-7]{0,2}")
_CODED = re.compile(r"\\[Uux]([0-9A-Fa-f]+)")
_PROPERTY = re.compile(r"([pP])\{(\^?)([\w &=-]{1,64})\}")
_POSIX_BRACKET = re.compile(r"\[:(\^?)(\w+):\]")
_LINE_ENDS = {"\n": r"\n", "\r": r"\r", "\t": r"\t"}
_UNSUPPORTED = ("G", "K", "k", "g", "y", "Y")
"""Behind a backslash: what is not reproduced, or means something else to `regex`."""


class CharacterReader:
    """A place in a pattern that moves forward over what represents a character."""

    def __init__(self, pattern: str) -> None:
        self.text = pattern
        self.at = 0
        self.ignores_case = False

    def take(self, count: int = 1) -> str:
        """The next characters, which it moves over."""
        taken = self.text[self.at : self.at + count]
        self.at += count
        return taken

    def refused(self, problem: str) -> FormatError:
        """What is wrong at this place."""
        return refused(self.text, self.at, problem)

    def sees(self, start: str) -> bool:
        """Whether this comes next."""
        return self.text.startswith(start, self.at)

    def property(self) -> str:
        """A property outside of a class, where (?i) has no say; nothing if there is none."""
        found = _PROPERTY.match(self.text, self.at + 1)
        if found is None:
            return ""
        self.take(1 + len(found.group()))
        name = re.sub("[ _-]", "", found[3]).lower()
        known = PROPERTIES.get(name)
        if known is None:
            return f"(?-i:\\{found.group()})" if self.ignores_case and name in CASES else "\\" + found.group()
        return f"[{'^' if (found[1] == 'P') != bool(found[2]) else ''}{known}]"

    def escape(self, table: dict[str, str], kept: frozenset[str]) -> str:
        """A backslash and what it represents: by the table, a letter that is kept, or the character itself."""
        after = self.at + 1
        if self.text.startswith(_UNSUPPORTED, after):
            raise self.refused(f"holds {self.text[self.at : after + 1]!r}, which is not supported")
        if self.text.startswith(("p{", "P{"), after) and not _PROPERTY.match(self.text, after):
            raise self.refused("has a property without an end or a name")
        point = _CODE_POINT.match(self.text, after)
        if self.text.startswith("x{", after) and (not point or not point[1] or int(point[1], 16) > sys.maxunicode):
            raise self.refused(r"has a \x{...} that is not a character")
        self.take()
        if point:
            self.take(len(point.group()))
            return f"\\U{int(point[1], 16):08x}" if point[1] else "\\" + point.group()
        named = _PROPERTY.match(self.text, self.at)
        if named:
            return "\\" + self.take(len(named.group()))
        letter = self.take()
        if letter in table:
            return table[letter]
        return letter if letter.isascii() and letter.isalpha() and letter not in kept else "\\" + letter

    def character_class(self, depth: int) -> str:
        """A class with all classes in it."""
        if depth > MAX_NESTING:
            raise self.refused(f"has character classes more than {MAX_NESTING} deep, or an open one")
        start = self.at
        out = [self.take()]
        if self.sees("^"):
            out.append(self.take())
        if self.sees("]"):
            out.append("\\" + self.take())
        elif self.sees("--") and not self.text.startswith(("]", "&&"), self.at + 2):
            if self.sees("--["):
                raise self.refused("has a class for the end of a range, which is not supported")
            out.append("\\" + self.take(2))  # a range that begins with "-"
        is_empty = len(out[-1]) == 1  # nothing since the beginning or the last "&&"
        while self.at < len(self.text):
            if self.sees("]"):
                self.take()
                return _closed([*_ordered(out), NOTHING if is_empty and out[-1] == "&&" else ""])
            if self.sees("&&"):
                out += NOTHING if is_empty else "", self.take(2)
                is_empty = True
                continue
            ends_range = out[-1] == "-" and not is_empty
            out.append(self._member(depth))
            if self.sees("-[") and not ends_range and character_of(out[-1]):
                raise self.refused("has a class for the end of a range, which is not supported")
            is_empty = False
        raise refused(self.text, start, "has an open character class")

    def _member(self, depth: int) -> str:
        """What comes next in a class."""
        character = self.text[self.at]
        posix = _POSIX_BRACKET.match(self.text, self.at)
        if posix:
            self.take(len(posix.group()))
            known = POSIX.get(posix[2])
            return f"[{posix[1]}{known}]" if known else f"[:{posix[1]}{posix[2]}:]"
        if character == "[":
            return self.character_class(depth + 1)
        if character == "\\":
            return self.escape(INSIDE, KEPT_INSIDE)
        if character == "-" and self.text.startswith(("[", "&&"), self.at + 1):
            return "\\" + self.take()  # `regex` begins a range
        if character in "-~|" and self.text[self.at + 1 : self.at + 2] == character:
            # Doubled, these are operators on sets to `regex`.
            return self.take() + "\\" + self.take()
        return self.take()


def character_of(spelled: str) -> str:
    """The character that is spelled with or without a backslash; nothing if it is not one character."""
    if coded := _CODED.fullmatch(spelled):
        return chr(int(coded[1], 16))
    if len(spelled) == 2 and spelled[0] == "\\" and not (spelled.isascii() and spelled[1].isalnum()):
        return spelled[1]
    return spelled if len(spelled) == 1 else ""


def _ordered(parts: Sequence[str]) -> list[str]:
    """The class so far with its members in one order, where they are nothing but characters, ranges and classes."""
    start = 2 if parts[1:2] == ["^"] else 1
    rest, members, at = [part for part in parts[start:] if part], [], 0
    while at < len(rest):
        width = 3 if rest[at + 1 : at + 2] == ["-"] and at + 2 < len(rest) else 1
        members.append("".join(rest[at : at + width]))
        at += width
    plain = [member for member in members if member[0] not in "\\["]
    if any(member[0] in "-^&~|" or member[1:2] not in ("", "-") for member in plain):
        return list(parts)  # "&&", or what would become an operator elsewhere
    return [*parts[:start], *sorted(set(members), key=lambda member: _LINE_ENDS.get(member, member))]


def _closed(parts: Sequence[str]) -> str:
    """The class; one that negates negations is taken away from everything, for `regex` finds all in [^\\d\\D]."""
    if parts[1] == "^" and any(part.startswith(("[^", r"\P")) for part in parts[2:]):
        return rf"[[\x00-\U0010ffff]--[{''.join(parts[2:])}]]"
    return "".join([*parts, "]"])
