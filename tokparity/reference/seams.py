"""Seams: places where a text can be cut without changing the result, and a memo for the parts between.

No merge and no lattice edge can cross a pair of adjacent characters that occurs in no piece. So the parts between such
pairs are independent, and most parts (words) come again and again. Both ideas are exact; without them the algorithms
read the same and give the same ids, only later.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Generic, TypeVar

Result = TypeVar("Result")

_MEMO_ENTRIES = 1 << 17
LONGEST_REMEMBERED = 64
"""Longer parts hardly ever come again; keeping them would only cost memory."""


def adjacent_pairs(pieces: Iterable[str]) -> frozenset[str]:
    """Every two characters that stand side by side in some piece."""
    return frozenset(piece[i : i + 2] for piece in pieces for i in range(len(piece) - 1))


class Seams:
    """Cuts texts at the places that no piece can cross."""

    def __init__(self, pairs: frozenset[str], marker: str = "") -> None:
        """`pairs`: the adjacent characters that may be merged; `marker`: the character that most words begin with."""
        self._pairs = pairs
        self._words = _words_pattern(pairs, marker)

    def words(self, text: str) -> list[str]:
        """A quick, coarse cut: before each marker that no piece joins to what stands before it."""
        return self._words.findall(text) if self._words else [text]

    def short_words(self, text: str, longest: int) -> list[str]:
        """The words, but those of more than so many characters cut into all their parts."""
        words = self.words(text)
        cut: list[str] = []
        done = 0
        for i in [i for i, word in enumerate(words) if len(word) > longest]:
            cut += words[done:i]
            cut += self.parts(words[i])
            done = i + 1
        return cut + words[done:] if done else words

    def parts(self, text: str) -> Iterator[str]:
        """All parts; none of them has a seam inside."""
        pairs = self._pairs
        start = 0
        for i in range(1, len(text)):
            if text[i - 1 : i + 1] not in pairs:
                yield text[start:i]
                start = i
        yield text[start:]


def _words_pattern(pairs: frozenset[str], marker: str) -> re.Pattern[str] | None:
    """One word: markers, then others, and further markers only after a character that some piece joins them to."""
    if not marker:
        return None
    joined = "".join(re.escape(pair[0]) for pair in sorted(pairs) if pair[1] == marker and pair[0] != marker)
    if len(joined) > 200:
        return None
    m = re.escape(marker)
    inner = f"(?:[^{m}]|(?<=[{joined}]){m}+)" if joined else f"[^{m}]"
    # Markers only stay together if a piece joins two of them; otherwise each is a seam of its own, which `parts` finds.
    return re.compile(f"{m}*{inner}+|{m}+", re.DOTALL)


class Memo(Generic[Result]):
    """Remembers the results for short parts, up to a fixed number; then it forgets all and starts again."""

    def __init__(self, compute: Callable[[str], Result]) -> None:
        self.compute = compute
        self.known: dict[str, Result] = {}

    def __call__(self, part: str) -> Result:
        found = self.known.get(part)
        if found is None:
            found = self.compute(part)
            if len(part) <= LONGEST_REMEMBERED:
                if len(self.known) >= _MEMO_ENTRIES:
                    self.known.clear()
                self.known[part] = found
        return found
