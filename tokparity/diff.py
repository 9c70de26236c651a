"""What kind of difference a mismatch shows, and mismatches of one kind put together."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import compress, count
from operator import ne

from tokparity.finding import Finding, Mismatch
from tokparity.outcome import Case, Failure

_BYTE_PIECE = re.compile(rb"<0x[0-9A-Fa-f]{2}>")
_MARKUP_PIECE = re.compile(rb"<[^<>]+>|\[[A-Z_0-9]+\]|<\|.+\|>")
UNKNOWN = frozenset((b"<unk>", b"<UNK>", b"[UNK]", b"<|unk|>"))
"""What an unknown token is called in the models' files."""

_SPACES = (" ", "▁", "Ġ", "Ċ", "ĉ")
_CLASSES = {"L": "letter", "M": "mark", "N": "number", "P": "punctuation", "S": "symbol", "Z": "space", "C": "control"}


def first_difference(expected: Sequence[object], actual: Sequence[object]) -> int:
    """The first index at which two sequences differ; the length of the shorter one if it begins the other."""
    return next(compress(count(), map(ne, expected, actual)), min(len(expected), len(actual)))


def kind(mismatch: Mismatch) -> str:
    """What happened at the first difference: "space-became-letter", "mark-became-nothing", "failure-crash-6", ..."""
    what, _, where = mismatch.first_difference.partition(":")
    if isinstance(mismatch.actual, Failure):
        return kind_of_failure(mismatch.actual)
    if what != "ids":
        return kind_of_decoded(not UNKNOWN.isdisjoint(mismatch.expected_pieces), what == "round_trip")
    return kind_of_ids(mismatch.expected_pieces, mismatch.actual_pieces, int(where))


def kind_of_ids(expected: Sequence[bytes], actual: Sequence[bytes], index: int) -> str:
    """What happened to the pieces at the first difference."""
    return f"{_class_at(expected, index)}-became-{_class_at(actual, index)}"


def kind_of_decoded(has_unknown: bool, was_the_text: bool) -> str:
    """What an unknown token decodes to is a choice of display; everything else in decoding is the tokenizer's."""
    return ("round_trip" if was_the_text else "decode") + ("-with-unknown" if has_unknown else "")


def kind_of_failure(failure: Failure) -> str:
    """How the engine failed, with the signal that ended it."""
    return f"failure-{failure.kind}" + (f"-{failure.signal}" if failure.signal is not None else "")


def _class_at(pieces: Sequence[bytes], index: int) -> str:
    """The class of the piece at an index; "nothing" past the end, "id" where the pieces are not known."""
    if not pieces:
        return "id"
    if index >= len(pieces):
        return "nothing"
    return piece_class(pieces[index])


def piece_class(piece: bytes) -> str:
    """What a piece, as the model's file spells it, begins with: a byte piece, markup, a space, a letter, ..."""
    if _BYTE_PIECE.fullmatch(piece):
        return "byte"
    if _MARKUP_PIECE.fullmatch(piece):
        return "special"
    text = piece.decode("utf-8", "replace").removeprefix("##")
    if not text:
        return "nothing"
    if text.startswith(_SPACES):
        return "space" if not text.strip("".join(_SPACES)) else "word"
    return _CLASSES[unicodedata.category(text[0])[0]]


def _size(case: Case) -> tuple[int, bytes, bool, bool]:
    """Orders cases by how short their text is; ties are broken so that the order of arrival plays no part."""
    return len(case.text), case.text, case.add_special, case.parse_special


def stored_bytes(mismatch: Mismatch) -> int:
    """About how many bytes a mismatch takes in a report."""
    pieces = sum(map(len, mismatch.expected_pieces)) + sum(map(len, mismatch.actual_pieces))
    return 1000 + len(mismatch.case.text) + pieces + 8 * (len(mismatch.expected_pieces) + len(mismatch.actual_pieces))


@dataclass
class Group:
    """Mismatches of one kind: how many, the smallest, and which of them a report holds."""

    name: str
    smallest: Mismatch
    mismatches: int = 0
    members: list[int] = field(default_factory=list)
    bytes: int = 0

    def finding(self) -> Finding:
        """The group as a finding that nothing has explained yet."""
        first = self.smallest
        return Finding(self.name, first.model, first.engine, first.oracle, "unexplained", first, self.mismatches)


def _rank(group: Group) -> tuple[str, bool, int, str]:
    about_decoding = group.smallest.first_difference.startswith(("decode", "round_trip"))
    return group.smallest.model, about_decoding, -group.mismatches, group.name


class Grouping:
    """Puts mismatches together by model, engine and kind, as they come, in memory that does not grow with them."""

    def __init__(self, keep: int, keep_bytes: int = 1 << 24) -> None:
        """Of each group the first `keep` mismatches are kept in full, as far as they take `keep_bytes` together."""
        self._keep = keep
        self._keep_bytes = keep_bytes
        self._groups: dict[tuple[str, str, str], Group] = {}

    def add(self, mismatch: Mismatch) -> Group | None:
        """Count a mismatch; the group, if this mismatch is among those to keep in full, else None."""
        key = mismatch.model, mismatch.engine, kind(mismatch)
        group = self._groups.get(key)
        if group is None:
            group = self._groups[key] = Group(f"{mismatch.engine}-{key[2]}", mismatch)
        group.mismatches += 1
        if _size(mismatch.case) < _size(group.smallest.case):
            group.smallest = mismatch
        if self._is_full(group):
            return None
        group.bytes += stored_bytes(mismatch)
        return group

    def counts(self, model: str, engine: str, name: str, case: Case) -> bool:
        """Whether a mismatch of a kind is one more of many, neither to be kept nor the smallest; then it is counted."""
        group = self._groups.get((model, engine, name))
        if group is None or not self._is_full(group) or _size(case) < _size(group.smallest.case):
            return False
        group.mismatches += 1
        return True

    def _is_full(self, group: Group) -> bool:
        return len(group.members) >= self._keep or group.bytes > self._keep_bytes

    def groups(self) -> list[Group]:
        """All groups; within a model, what is about decoding comes last, and the larger before the smaller."""
        return sorted(self._groups.values(), key=_rank)


def group(mismatches: Iterable[Mismatch]) -> list[Group]:
    """Stored mismatches put together; `members` are their positions."""
    grouping = Grouping(keep=2**62, keep_bytes=2**62)
    for index, mismatch in enumerate(mismatches):
        found = grouping.add(mismatch)
        if found is not None:
            found.members.append(index)
    return grouping.groups()
