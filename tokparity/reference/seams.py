"""Seams: places where a text can be cut without changing the result, and a memo for the parts between.

No merge and no lattice edge can cross a pair of adjacent characters that occurs in no piece. So the parts between such
pairs are independent, and most parts (words) come again and again. Both ideas are exact; without them the algorithms
read the same and give the same ids, only later.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from itertools import chain
from typing import TypeVar

from tokparity.reference.families import words_pattern

Result = TypeVar("Result")

_MEMO_ENTRIES = 1 << 17
LONGEST_REMEMBERED = 64
"""Longer parts hardly ever come again; keeping them would only cost memory."""
_LINES = re.compile("[^\n]*\n|[^\n]+")
_OFTEN = 4
"""Where lines come this many times each on average, they are looked at once each."""
WORTH_CUTTING = 24
"""Longer words hardly ever come again either, but their parts do; in shorter ones, looking for seams does not pay."""


def adjacent_pairs(pieces: Iterable[str]) -> frozenset[str]:
    """Every two characters that stand side by side in some piece."""
    return frozenset(piece[i : i + 2] for piece in pieces for i in range(len(piece) - 1))


class Seams:
    """Cuts texts at the places that no piece can cross."""

    def __init__(self, pairs: frozenset[str], marker: str = "") -> None:
        """`pairs`: the adjacent characters that may be merged; `marker`: the character that most words begin with."""
        self._pairs = pairs
        self._words = words_pattern(pairs, marker)
        self._lines_are_apart = not any("\n" in pair for pair in pairs)

    def by_lines(self, text: str, ids_of: Callable[[str], list[int]]) -> list[int]:
        """The ids of a text, each line worked out once where lines come again and again (tables, logs)."""
        lines: list[str] = _LINES.findall(text) if self._lines_are_apart else []
        distinct = set(lines)
        if len(lines) <= _OFTEN * len(distinct):
            return ids_of(text)
        known = {line: ids_of(line) for line in distinct}
        return [*chain.from_iterable(map(known.__getitem__, lines))]

    def words(self, text: str) -> list[str]:
        """A quick cut, at most seams: words, but long ones cut into all their parts."""
        words: list[str] = self._words.findall(text)
        cut: list[str] = []
        done = 0
        for i in [i for i, word in enumerate(words) if len(word) > WORTH_CUTTING]:
            cut += words[done:i]
            cut += self.parts(words[i])
            done = i + 1
        return cut + words[done:] if done else words

    def parts(self, text: str) -> list[str]:
        """All parts; none of them has a seam inside."""
        pairs = self._pairs
        parts: list[str] = []
        start = 0
        before = ""
        for at, character in enumerate(text):
            if before + character not in pairs and at:
                parts.append(text[start:at])
                start = at
            before = character
        return [*parts, text[start:]]


class Memo(dict[str, Result]):
    """Results by part: what is missing is worked out, and remembered if the part is short.

    Up to a fixed number; then it forgets all and starts again.
    """

    def __init__(self, compute: Callable[[str], Result]) -> None:
        super().__init__()
        self.compute = compute

    def __missing__(self, part: str) -> Result:
        found = self.compute(part)
        if len(part) <= LONGEST_REMEMBERED:
            if len(self) >= _MEMO_ENTRIES:
                self.clear()
            self[part] = found
        return found


class InParts:
    """The ids of a text, part by part; those of words and of parts are remembered."""

    def __init__(self, seams: Seams, ids_of_part: Callable[[str], list[int]]) -> None:
        self._seams = seams
        self._part = Memo(ids_of_part)
        self._word = Memo(self._ids_of_word)

    def __call__(self, text: str) -> list[int]:
        return [*chain.from_iterable(map(self._word.__getitem__, self._seams.words(text)))]

    def _ids_of_word(self, word: str) -> list[int]:
        parts = self._seams.parts(word)
        return self._part[word] if len(parts) == 1 else [*chain.from_iterable(map(self._part.__getitem__, parts))]
