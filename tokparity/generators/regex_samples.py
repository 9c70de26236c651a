"""Strings that a regular expression matches, drawn at random from its syntax.

Understands what pre-tokenizers use: alternatives, groups, character classes, \\p{..}, quantifiers of all kinds. What
looks ahead or behind is left out: a sample is what a pattern wants to match, whether or not its surroundings let it.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

import regex

from tokparity.errors import FormatError
from tokparity.generators.characters import (
    DIGITS,
    LETTERS,
    MARKS,
    PUNCTUATION,
    SYMBOLS,
    UNUSUAL,
    pick,
    was_assigned,
)

Sample = Callable[[random.Random], str]

_MANY = 4
"""How often something is repeated at most that may be repeated without end."""

_FOLDED = {"s": ("ſ",), "k": ("\u212a",)}
"""What else is the same letter where case is ignored."""

ALPHABET: tuple[str, ...] = tuple(
    dict.fromkeys(
        [chr(code) for code in range(0x80)]
        + [
            chr(code)
            for ranges in (LETTERS, MARKS, DIGITS, PUNCTUATION, SYMBOLS, UNUSUAL)
            for low, high in ranges
            for code in (low, low + 1, (low + high) // 2, high)
            if was_assigned(chr(min(code, high))) and code <= high
        ]
        + list("àÀéÉßſ中一龥あアー가ᄀคक्あ“”’«»…—–·•°€£¥©®™→∞≠☃😀🏽\u00a0\u3000\u2028\u200d\ufe0f")
    )
)
"""Characters that classes are tried on: those that Unicode 3.2 had, so that no version decides differently."""


@dataclass
class _Reader:
    """A pattern and how far it has been read; `flags` are those of the innermost group."""

    pattern: str
    at: int = 0
    flags: str = ""

    @property
    def next(self) -> str:
        return self.pattern[self.at : self.at + 1]

    def take(self, expected: str) -> bool:
        """Step over `expected` if it comes next."""
        found = self.pattern.startswith(expected, self.at)
        self.at += len(expected) * found
        return found

    def match(self, expression: str) -> str | None:
        """Step over what the expression matches here."""
        found = regex.compile(expression).match(self.pattern, self.at)
        if found is None:
            return None
        self.at = found.end()
        return str(found.group())


def alternatives(pattern: str) -> tuple[Sample, ...]:
    """A sampler for each alternative of a pattern; FormatError where the pattern is beyond this reader."""
    reader = _Reader(pattern)
    found = _alternatives(reader)
    if reader.at < len(pattern):
        raise FormatError(
            f"pattern {pattern!r:.120} has a {reader.next!r} at {reader.at} that has no opening counterpart"
        )
    return tuple(found)


def split_alternatives(pattern: str) -> tuple[str, ...]:
    """The source of each alternative of a pattern, for a pattern whose flags stand inside of its groups."""
    reader = _Reader(pattern)
    found, start = [], 0
    while reader.at < len(pattern):
        if reader.next == "|":
            found.append(pattern[start : reader.at])
            start = reader.at + 1
            reader.at += 1
        else:
            _repeated(reader)
    return (*found, pattern[start:])


def _alternatives(reader: _Reader) -> list[Sample]:
    found = [_sequence(reader)]
    while reader.take("|"):
        found.append(_sequence(reader))
    return found


def _sequence(reader: _Reader) -> Sample:
    parts: list[Sample] = []
    while reader.next and reader.next not in "|)":
        parts.append(_repeated(reader))
    return lambda rng: "".join(part(rng) for part in parts)


def _repeated(reader: _Reader) -> Sample:
    atom = _atom(reader)
    quantifier = reader.match(r"[*+?][+?]?|\{\d*,?\d*\}[+?]?")
    if not quantifier:
        return atom
    low, high = _bounds(quantifier)
    return lambda rng: "".join(atom(rng) for _ in range(low + int((high - low + 1) * rng.random())))


def _bounds(quantifier: str) -> tuple[int, int]:
    if quantifier[0] != "{":
        return {"*": (0, _MANY), "+": (1, _MANY), "?": (0, 1)}[quantifier[0]]
    low, comma, high = quantifier.rstrip("+?")[1:-1].partition(",")
    least = min(int(low or 0), 1 << 12)
    return least, max(min(int(high), 1 << 12), least) if high else (least + _MANY if comma else least)


def _atom(reader: _Reader) -> Sample:
    if reader.take("("):
        return _group(reader)
    if reader.next in "^$":
        reader.at += 1
        return _nothing
    if reader.match(r"\\[bBAzZGK]"):
        return _nothing
    # A class may hold classes: "[a-z&&[^x]]"; the closing bracket right after "[" or "[^" is a literal.
    source = reader.match(
        r"\[\^?\]?(?:\[:\^?\w+:\]|\\.|(?P<inner>\[(?:[^\[\]\\]|\\.|(?&inner))*\])|[^\]\\])*\]"
        r"|\\[pP]\{\^?[^}]*\}|\\[pP].|\\x\{[0-9A-Fa-f]+\}|\\x[0-9A-Fa-f]{2}|\\u[0-9A-Fa-f]{4}|\\.|(?s:.)"
    )
    if source is None:
        raise FormatError(f"pattern {reader.pattern!r:.120} cannot be read at {reader.at}")
    if len(source) == 1 and source != ".":
        return _literal(source, "i" in reader.flags)
    return _one_of(source, reader.flags)


def _group(reader: _Reader) -> Sample:
    if reader.match(r"\?<?[=!]"):
        _inside(reader, reader.flags)
        return _nothing
    flags = reader.match(r"\?[a-zA-Z]*(?:-[a-zA-Z]+)?(?=[:)])")
    if flags is not None and reader.take(")"):
        reader.flags += flags[1:].partition("-")[0]  # "(?i)": from here on
        return _nothing
    if flags is None:
        reader.match(r"\?P?<\w+>|\?>|\?\|")
    else:
        reader.take(":")
    return _inside(reader, reader.flags + (flags or "?")[1:].partition("-")[0])


def _inside(reader: _Reader, flags: str) -> Sample:
    """The alternatives up to the closing bracket, read with these flags."""
    outer, reader.flags = reader.flags, flags
    found = _alternatives(reader)
    reader.flags = outer
    if not reader.take(")"):
        raise FormatError(f"pattern {reader.pattern!r:.120} has a group that is not closed")
    return lambda rng: pick(rng, found)(rng)


def _literal(character: str, any_case: bool) -> Sample:
    if any_case and character.swapcase() != character:
        cases = (character, character.swapcase(), *_FOLDED.get(character.lower(), ()))
        return lambda rng: pick(rng, cases)
    return lambda rng: character


def _one_of(source: str, flags: str) -> Sample:
    # Python cannot express \x{...}.
    source = _CODE.sub(lambda m: regex.escape(chr(int(m.group(1), 16))), source)
    try:
        compiled = regex.compile(source, regex.IGNORECASE if "i" in flags else 0)
    except regex.error as error:
        raise FormatError(f"character class {source!r:.80} cannot be read: {error}") from error
    found = tuple(c for c in ALPHABET if compiled.fullmatch(c))
    if not found:  # one that is not in the alphabet
        found = tuple(c for c in source.strip("[]^\\")[:1] if compiled.fullmatch(c)) or ("",)
    return lambda rng: pick(rng, found)


_CODE = regex.compile(r"\\x\{([0-9A-Fa-f]+)\}")


def _nothing(rng: random.Random) -> str:
    return ""
