"""What a run has reached of a model: pieces, joints, merges, pre-tokenizer alternatives, charsmap keys, fallbacks.

Works on flat ids, so that a batch costs a few array operations. What is looked up in texts is looked up in a sample of
them, and only as long as something is missing.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import regex

from tokparity.difference import piece_class
from tokparity.errors import FormatError
from tokparity.fuzz.state import AGAIN, CoverageState
from tokparity.generators.characters import category
from tokparity.generators.regex_samples import split_alternatives
from tokparity.generators.subject import Subject
from tokparity.reference.onig import time_limit
from tokparity.vocabulary import Kind

if TYPE_CHECKING:
    from tokparity.engines.buffers import Ids, Int64s

_SAMPLE = 8
"""One text of this many is searched for alternatives of the pre-tokenizer."""

_CLASSES = (
    "nothing",
    "byte",
    "special",
    "space",
    "word",
    "letter",
    "mark",
    "number",
    "punctuation",
    "symbol",
    "control",
)
_BY_CATEGORY = {"L": "letter", "M": "mark", "N": "number", "P": "punctuation", "S": "symbol", "C": "control"}
_LENGTHS = 4
"""Classes of length of a piece: 1, 2, 3 to 4, more characters."""

FALLBACKS = ("byte piece", "bytes in a row", "unknown", "unknowns in a row", "nothing for a text")


@dataclass(frozen=True)
class Share:
    """How many of how many were reached."""

    reached: int
    of: int


class Coverage:
    """Grows with each batch of a run of one model."""

    def __init__(self, subject: Subject) -> None:
        vocabulary = subject.vocabulary
        self._subject = subject
        size = len(vocabulary)
        self.pieces = np.zeros(size, dtype=np.bool_)
        self._classes = _classes(subject)
        self._joints = np.zeros((len(_CLASSES) * _LENGTHS) ** 2, dtype=np.bool_)
        kinds = np.array(vocabulary.kinds, dtype=np.int8)
        self._is_byte = kinds == Kind.BYTE
        self._unknown = vocabulary.unknown_id
        self._reachable = np.isin(kinds, [Kind.NORMAL, Kind.USER_DEFINED, Kind.BYTE, Kind.UNKNOWN])
        self._alternatives = [found for found in map(_numbered, subject.patterns) if found is not None]
        self._taken: set[tuple[int, int]] = set()
        self._keys: set[str] = set()
        self._missing_keys = _by_length(subject.charsmap)
        self._fallbacks: set[str] = set()

    def add(self, texts: Sequence[bytes], ids: Ids) -> Int64s:
        """Take in the ids of a batch; the indices of the texts that reached a piece or a joint for the first time."""
        data = ids.data
        known = (data >= 0) & (data < len(self.pieces))
        safe = np.where(known, data, 0)
        joints = self._joints_of(safe, ids.offsets)
        new_pieces = _firsts(safe, known & ~self.pieces[safe])
        new_joints = _firsts(joints, (joints >= 0) & ~self._joints[joints]) + 1
        self.pieces[safe[known]] = True
        self._joints[joints[joints >= 0]] = True
        self._note_fallbacks(texts, safe, ids)
        self._note_texts(texts)
        at = np.concatenate([new_pieces, new_joints])
        return np.unique(np.searchsorted(ids.offsets, at, side="right") - 1)

    def shares(self) -> Mapping[str, Share]:
        """The share of each kind of feature that texts have reached, by name, without those that the model lacks."""
        found = {"pieces": Share(int((self.pieces & self._reachable).sum()), int(self._reachable.sum()))}
        if self._subject.vocabulary.merges:
            found["merges"] = Share(self._merges_used(), len(self._subject.vocabulary.merges))
        alternatives = sum(groups for _, groups in self._alternatives)
        if alternatives:
            found["pre-tokenizer alternatives"] = Share(len(self._taken), alternatives)
        if self._subject.charsmap:
            found["charsmap keys"] = Share(len(self._keys), len(self._subject.charsmap))
        found["joints"] = Share(int(self._joints.sum()), len(np.unique(self._classes)) ** 2)
        return found | {"fallbacks": Share(len(self._fallbacks), len(FALLBACKS))}

    def state(self) -> CoverageState:
        """All that was reached."""
        pieces, joints = (tuple(np.flatnonzero(flags).tolist()) for flags in (self.pieces, self._joints))
        return CoverageState(
            pieces, joints, tuple(sorted(self._taken)), tuple(sorted(self._keys)), tuple(sorted(self._fallbacks))
        )

    def restore(self, state: CoverageState) -> None:
        """Continue from an earlier run's coverage; FormatError if it is of another model."""
        groups = enumerate(many for _, many in self._alternatives)
        alternatives = {(number, group) for number, many in groups for group in range(1, many + 1)}
        keys = {*self._subject.charsmap}
        joints = range(len(self._joints))
        there: Sequence[Container[object]] = (range(len(self.pieces)), joints, alternatives, keys, FALLBACKS)
        stored = (state.pieces, state.joints, state.alternatives, state.keys, state.fallbacks)
        for known, reached in zip(there, stored, strict=True):
            if beyond := [one for one in reached if one not in known]:
                raise FormatError(f"the stored run covers {beyond[0]!r:.60}, which this model does not have", AGAIN)
        self.pieces[list(state.pieces)] = True
        self._joints[list(state.joints)] = True
        self._taken.update(state.alternatives)
        self._keys.update(state.keys)
        self._missing_keys = _by_length(key for key in self._subject.charsmap if key not in self._keys)
        self._fallbacks.update(state.fallbacks)

    @property
    def fallbacks(self) -> tuple[str, ...]:
        """The kinds of fallback that were met."""
        return tuple(name for name in FALLBACKS if name in self._fallbacks)

    def _joints_of(self, ids: np.ndarray[tuple[int], np.dtype[np.int32]], offsets: Int64s) -> Int64s:
        """For each id but the first a number for the classes of it and of the one before, -1 at the start of a text."""
        if len(ids) < 2:
            return np.empty(0, dtype=np.int64)
        classes = self._classes[ids]
        joints = classes[:-1] * (len(_CLASSES) * _LENGTHS) + classes[1:]
        starts = offsets[1:-1]
        joints[starts[(starts > 0) & (starts < len(ids))] - 1] = -1
        return joints

    def _note_fallbacks(
        self, texts: Sequence[bytes], data: np.ndarray[tuple[int], np.dtype[np.int32]], ids: Ids
    ) -> None:
        if len(self._fallbacks) == len(FALLBACKS):
            return
        byte = self._is_byte[data]
        unknown = data == (-1 if self._unknown is None else self._unknown)
        empty = np.flatnonzero(np.diff(ids.offsets) == 0)
        met = (
            bool(byte.any()), bool((byte[1:] & byte[:-1]).any()), bool(unknown.any()),
            bool((unknown[1:] & unknown[:-1]).any()), any(texts[i].strip() for i in empty[:50]),
        )  # fmt: skip
        self._fallbacks.update(name for name, happened in zip(FALLBACKS, met, strict=True) if happened)

    def _note_texts(self, texts: Sequence[bytes]) -> None:
        if self._missing_keys:
            joined = b"\n".join(texts).decode("utf-8", "surrogateescape")
            # There are far more keys than places in a batch; so the places are looked up, not the keys searched for.
            for length, keys in self._missing_keys.items():
                found = keys.intersection(joined[i : i + length] for i in range(len(joined) - length + 1))
                self._keys |= found
                keys -= found
        if len(self._taken) < sum(groups for _, groups in self._alternatives):
            for text in texts[::_SAMPLE]:
                self._note_alternatives(text.decode("utf-8", "replace"))

    def _note_alternatives(self, text: str) -> None:
        for number, (pattern, _) in enumerate(self._alternatives):
            try:
                found = pattern.finditer(text, timeout=time_limit(text))
                self._taken.update((number, match.lastindex) for match in found)
            except TimeoutError:
                continue  # the engines are asked for the same text: there it is told

    def _merges_used(self) -> int:
        """Merges that the reached pieces are made of: those that make a reached piece, or a half of one."""
        made_of: dict[bytes, tuple[bytes, bytes]] = {}
        for left, right in self._subject.vocabulary.merges:
            made_of.setdefault(left + right, (left, right))
        pieces = self._subject.vocabulary.pieces
        pending = [pieces[i] for i in np.flatnonzero(self.pieces).tolist()]
        used: set[bytes] = set()
        while pending:
            piece = pending.pop()
            halves = made_of.get(piece)
            if halves is not None and piece not in used:
                used.add(piece)
                pending.extend(halves)
        return len(used)


def _firsts(values: np.ndarray[tuple[int], Any], wanted: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> Int64s:
    """The index at which each wanted value comes first."""
    at = np.flatnonzero(wanted)
    return at[np.unique(values[at], return_index=True)[1]]


def _classes(subject: Subject) -> Int64s:
    """For each id a number for what its piece begins with and how long it is."""
    numbers = {name: number for number, name in enumerate(_CLASSES)}
    found = [
        numbers[_class(piece)] * _LENGTHS + min(len(spelled.decode("utf-8", "replace")).bit_length() - 1, 3)
        if spelled
        else numbers[_class(piece)] * _LENGTHS
        for piece, spelled in zip(subject.vocabulary.pieces, subject.spelled, strict=True)
    ]
    return np.array(found, dtype=np.int64)


def _class(piece: bytes) -> str:
    """The class of a piece, by Unicode 3.2: what is steered by must be the same with every version of Python."""
    name = piece_class(piece)
    if name not in _BY_CATEGORY.values():
        return name
    return _BY_CATEGORY.get(category(piece.decode("utf-8", "replace").removeprefix("##")[0])[0], name)


def _by_length(keys: Iterable[str]) -> dict[int, set[str]]:
    """The keys by how many characters they have."""
    found: dict[int, set[str]] = {}
    for key in keys:
        found.setdefault(len(key), set()).add(key)
    return found


def _numbered(pattern: str) -> tuple[regex.Pattern[str], int] | None:
    """The pattern with each alternative as a group of its own, and how many; None where it cannot be taken apart."""
    try:
        parts = [_NAMELESS.sub("(?:", part) for part in split_alternatives(pattern)]
        return regex.compile("|".join(f"({part})" for part in parts)), len(parts)
    except (FormatError, regex.error):
        return None


_NAMELESS = regex.compile(r"(?<!\\)\((?!\?)")
"""A bracket that opens a group with a number, which would shift the numbers of the alternatives."""
