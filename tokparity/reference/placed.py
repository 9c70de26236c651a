"""A string in the midst of encoding, whose characters know where in the text they come from.

Each stage of encoding maps a string to another. A prefix of the first string that alone becomes a prefix of the second
one is a place where both can be cut. What stands between two such cuts came from what stands between them before.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from tokparity.difference import first_difference
from tokparity.outcome import Place

MOST = 2_000
"""Characters of a string that is cut finely; a longer one that a stage changes is one block."""

Change = Callable[[str], str]


@dataclass(frozen=True)
class Placed:
    """A string in the midst of encoding, and for each of its characters those of the text that it came from.

    `at` is where in the text it begins, for a string without characters.
    """

    text: str
    places: Sequence[Place]
    at: int = 0

    def part(self, start: int, end: int) -> Placed:
        """The characters from `start` up to `end`."""
        return Placed(self.text[start:end], self.places[start:end], self.place(start, start)[0])

    def place(self, start: int, end: int) -> Place:
        """What the characters from `start` up to `end` came from; an empty place for none."""
        if start < end:
            return min(s for s, _ in self.places[start:end]), max(e for _, e in self.places[start:end])
        here = self.places[start][0] if start < len(self.places) else self.places[-1][1] if self.places else self.at
        return here, here

    def firsts(self) -> Placed:
        """The same string, where of several characters that became fewer only the first counts."""
        of = Counter(self.places)
        cut = [(s, min(e, s + 1)) if of[s, e] < e - s else (s, e) for s, e in self.places]
        return Placed(self.text, cut, self.at)

    def through(self, change: Change, after: str) -> Placed:
        """The string that a change makes of it."""
        if after == self.text:
            return self
        found: list[Place] = []
        for (start, begin), (end, stop) in pairwise(_cuts(self.text, after, change)):
            found += self._block(start, end, after[begin:stop], change)
        return Placed(after, found, self.at)

    def _block(self, start: int, end: int, after: str, change: Change) -> Iterator[Place]:
        """The places of what became of a stretch; what is the same at its beginning and end came from just that.

        Nothing comes from a character at its ends that alone becomes nothing, beside others or where the string begins.
        """
        same = first_difference(self.text[start:end][::-1], after[::-1])
        begins = first_difference(self.text[start : end - same], after[: len(after) - same])
        yield from self.places[start : start + begins]
        first, last, least = start + begins, end - same, 1 if start else 0
        while last - first > least and not change(self.text[first]):
            first += 1
        while last - first > least and not change(self.text[last - 1]):
            last -= 1
        yield from [self.place(first, last)] * (len(after) - begins - same)
        yield from self.places[end - same : end]


def _cuts(before: str, after: str, change: Change) -> list[tuple[int, int]]:
    """Where both strings can be cut: the lengths of prefixes of which one becomes the other."""
    cuts = [(0, 0)]
    for length in range(1, len(before) if len(before) <= MOST else 0):
        image = change(before[:length])
        if len(image) > cuts[-1][1] and after.startswith(image):
            cuts.append((length, len(image)))
    return [*cuts, (len(before), len(after))]
