"""Edits of a pattern that cuts words: an alternative or a part is missing, moved, repeated or matches others."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tokparity.diagnose.limits.families import SHOWN_OF_A_PATTERN

_QUANTIFIER = re.compile(r"(?:[?*+]|\{\d+(?:,\d*)?\})[?+]?")
_QUANTIFIERS = ("", "?", "+", "*", "++", "*+", "+?", "*?", "{1,2}", "{1,3}")
_AT_MOST = re.compile(r"(\{\d+,)(\d+)\}")
_PROPERTY = re.compile(r"\\[pP]\{[^}]*\}|\\x\{[^}]*\}|\\.", re.DOTALL)
_HEAD = re.compile(r"\((?:\?[a-z]*:|\?<?[!=])?")
"""How a group begins, with what it is for."""

_CLASS = re.compile(r"\[\^?\]?(?:\\.|[^\]\\])*\]", re.DOTALL)

_EVERYWHERE = {
    r"\p{L}": (r"\p{L}\p{M}", "A-Za-z", r"\p{L}\p{N}", r"\p{L}_", r"\p{Lu}\p{Ll}\p{Lt}", r"\p{Lu}\p{Ll}"),
    r"\p{N}": (r"\p{Nd}", "0-9"),
    r"\s": (r" \t\n\v\f\r", r" \t\n\r", " "),
}
"""What may be taken for something wherever a pattern has it, as members of a class."""

_INSTEAD = {
    " ": (r"\s", r"[^\r\n\p{L}\p{N}]", r"[^\s\p{L}\p{N}]"),
    r"[^\r\n\p{L}\p{N}]": (
        " ",
        r"[^\s\p{L}\p{N}]",
        r"\s",
        "[ \t]",
        r"[\p{Z}\p{P}\p{S}]",
        r"[\s\p{P}\p{S}]",
        r"[\p{P}\p{S}]",
    ),
    r"[\r\n]": (r"\n", r"\s"),
    r"\s": (r"[^\S\r\n]", " ", r"[\r\n]"),
}
"""What may be taken for one part."""

_MEMBERS = (r"\p{M}", r"\p{C}", r"\p{P}", r"\p{S}", r"\p{N}", r"\p{L}", r"\s", r"\r\n", "_", "'", " ", "/")


@dataclass(frozen=True)
class Edit:
    """Another pattern, in words that follow "the model"."""

    says: str
    pattern: str


def edits(pattern: str) -> Iterator[Edit]:
    """The patterns that are like one, each once."""
    seen = {pattern}
    for edit in _edits(pattern):
        if edit.pattern not in seen:
            seen.add(edit.pattern)
            yield edit


def _edits(pattern: str) -> Iterator[Edit]:
    for old, members in _EVERYWHERE.items():
        for new in members:
            says = f"with {_shown(new if len(new) < 7 else f'[{new}]')} wherever its pattern has {_shown(old)}"
            yield Edit(says, _everywhere(pattern, old, new))
    alternatives = _alternatives(pattern)

    def with_one(at: int, others: Sequence[str]) -> str:
        return "|".join([*alternatives[:at], *others, *alternatives[at + 1 :]])

    for at, old in enumerate(alternatives):
        for new in _other(old):
            yield Edit(f"with {_shown(new)} in place of {_shown(old)} in its pattern", with_one(at, [new]))
    if len(alternatives) == 1:
        return
    for at, old in enumerate(alternatives):
        yield Edit(f"without {_shown(old)} in its pattern", with_one(at, []))
    for to in range(len(alternatives)):
        for at in range(to + 1, len(alternatives)):
            moved = [*alternatives[:to], alternatives[at], *alternatives[to:at], *alternatives[at + 1 :]]
            says = f"whose pattern tries {_shown(alternatives[at])} before {_shown(alternatives[to])}"
            yield Edit(says, "|".join(moved))


def _other(alternative: str) -> Iterator[str]:
    """An alternative with one part of it otherwise."""
    parts = list(_parts(alternative))
    for at, (atom, quantifier) in enumerate(parts):
        for new in _other_part(atom, quantifier):
            changed = "".join([*map("".join, parts[:at]), new, *map("".join, parts[at + 1 :])])
            if changed:
                yield changed


def _other_part(atom: str, quantifier: str) -> Iterator[str]:
    yield ""
    yield from (instead + quantifier for instead in _INSTEAD.get(atom, ()))
    quantifiers = [*_QUANTIFIERS, *_beside(quantifier)]
    yield from (atom + other for other in sorted(quantifiers, key=lambda other: not other.startswith(quantifier)))
    if atom[0] == "[":
        start = 2 if atom[1] == "^" else 1
        members = _PROPERTY.findall(atom) or list(atom[start:-1])
        yield from (atom.replace(member, "", 1) + quantifier for member in dict.fromkeys(members))
        yield from (atom[:-1] + member + "]" + quantifier for member in _MEMBERS if member not in atom)
    elif atom.startswith(r"\p") or atom == r"\s":
        yield from (f"[{atom}{member}]{quantifier}" for member in _MEMBERS if member != atom)
    elif atom.startswith(("(?!", "(?=")):
        inner = atom[3:-1]
        other = inner.swapcase() if inner in (r"\s", r"\S") else inner
        yield from (f"({looks}{one})" for looks in ("?!", "?=") for one in (inner, other))
        yield from (f"({looks}{one}|$)" for looks in ("?!", "?=") for one in (inner, other))
    elif atom[0] == "(":
        yield from _other_group(atom, quantifier)


def _beside(quantifier: str) -> Iterator[str]:
    """One more and one fewer, where a part may come a number of times."""
    if found := _AT_MOST.fullmatch(quantifier):
        yield from (f"{found[1]}{int(found[2]) + more}}}" for more in (1, -1))


def _other_group(atom: str, quantifier: str) -> Iterator[str]:
    head = _HEAD.match(atom)
    if head is None:
        return
    yield "(?:" + atom[head.end() :] + quantifier
    yield "(?i:" + atom[head.end() :] + quantifier
    inner = _alternatives(atom[head.end() : -1])
    if len(inner) == 1:
        return
    for at in range(len(inner)):
        yield head[0] + "|".join([*inner[:at], *inner[at + 1 :]]) + ")" + quantifier
    if head[0] == "(?i:":
        yield from (f"(?:(?i:{'|'.join(rest)})|{'|'.join(strict)}){quantifier}" for strict, rest in _parted(inner))


def _parted(inner: Sequence[str]) -> Iterator[tuple[list[str], list[str]]]:
    """Alternatives in two: those of one length and the others, one and the others."""
    sizes = [len(list(_parts(one))) for one in inner]
    ways = [[size == other for other in sizes] for size in sorted({*sizes})]
    ways += [[at == other for other in range(len(inner))] for at in range(len(inner))]
    for picked in ways:
        strict = [one for one, is_picked in zip(inner, picked, strict=True) if is_picked]
        rest = [one for one, is_picked in zip(inner, picked, strict=True) if not is_picked]
        if rest:
            yield strict, rest


def _everywhere(pattern: str, old: str, new: str) -> str:
    """A pattern with other members of classes; outside of a class they become one."""
    found = []
    for atom, quantifier in _parts(pattern):
        if atom == old:
            atom = f"[{new}]"
        elif atom == old[0] + old[1:2].upper() + old[2:]:  # all but those
            atom = f"[^{new}]"
        elif atom[0] == "[":
            atom = atom.replace(old, new)
        elif head := _HEAD.match(atom):
            atom = head[0] + _everywhere(atom[head.end() : -1], old, new) + ")"
        found.append(atom + quantifier)
    return "".join(found)


def _alternatives(pattern: str) -> list[str]:
    """What stands between the bars of a pattern, those outside of groups and classes."""
    found = [""]
    for atom, quantifier in _parts(pattern):
        if atom == "|":
            found.append("")
        else:
            found[-1] += atom + quantifier
    return found


def _parts(pattern: str) -> Iterator[tuple[str, str]]:
    """The atoms of a pattern, groups as one, each with its quantifier."""
    at = 0
    while at < len(pattern):
        end = _end_of_atom(pattern, at)
        atom = pattern[at:end]
        quantifier = _QUANTIFIER.match(pattern, end) if atom != "|" else None
        at = quantifier.end() if quantifier else end
        yield atom, quantifier[0] if quantifier else ""


def _end_of_atom(pattern: str, at: int) -> int:
    if pattern[at] == "(":
        at += 1
        while at < len(pattern) and pattern[at] != ")":
            at = _end_of_atom(pattern, at)
        return min(at + 1, len(pattern))
    found = _PROPERTY.match(pattern, at) or _CLASS.match(pattern, at)
    return found.end() if found else at + 1


def _shown(part: str) -> str:
    """A part of a pattern between accents, with nothing that does not print."""
    plain = "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in part)
    return f"`{plain[:SHOWN_OF_A_PATTERN]}`" + ("..." if len(plain) > SHOWN_OF_A_PATTERN else "")
