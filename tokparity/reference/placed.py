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

_FINE = 400
"""Characters of a string of which each prefix is tried; a longer one is halved first."""
_BESIDE = 32
"""Characters before a half that are changed with it, and places near the middle where a string may be halved."""

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
        if end == start + 1:
            return self.places[start]
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
        Nor from white space there without which the others become the same.
        """
        same = first_difference(self.text[start:end][::-1], after[::-1])
        begins = first_difference(self.text[start : end - same], after[: len(after) - same])
        yield from self.places[start : start + begins]
        first, last, least = start + begins, end - same, 1 if start else 0
        while last - first > least and not change(self.text[first]):
            first += 1
        while last - first > least and not change(self.text[last - 1]):
            last -= 1
        middle = after[begins : len(after) - same]
        while last - first > 1 and self.text[first].isspace() and change(self.text[first + 1 : last]) == middle:
            first += 1
        yield from [self.place(first, last)] * len(middle)
        yield from self.places[end - same : end]


def _cuts(before: str, after: str, change: Change) -> list[tuple[int, int]]:
    """Where both strings can be cut: the lengths of prefixes of which one becomes the other."""
    cuts = [(0, 0)]
    stretches = [((0, 0), (len(before), len(after)))]
    while stretches:
        (start, begin), (end, stop) = stretches.pop()
        stretch = _Stretch(before[max(start - _BESIDE, 0) : start], before[start:end], after[begin:stop], change)
        if end - start <= _FINE:
            cuts += [(start + length, begin + image) for length, image in stretch.cuts()]
        elif half := stretch.half():
            middle = start + half[0], begin + half[1]
            stretches += [(middle, (end, stop)), ((start, begin), middle)]
            continue
        cuts.append((end, stop))
    return cuts


@dataclass(frozen=True)
class _Stretch:
    """A part of a string, what became of it, and what stands before it."""

    beside: str
    before: str
    after: str
    change: Change

    def image(self, start: int, end: int) -> str | None:
        """What becomes of these characters behind the others; None where that changes the others."""
        beside = (self.beside + self.before[:start])[-_BESIDE:]
        alone = self.change(beside) if beside else ""
        both = self.change(beside + self.before[start:end])
        return both[len(alone) :] if both.startswith(alone) else None

    def cuts(self) -> Iterator[tuple[int, int]]:
        """Where it can be cut, between its ends."""
        last = 0
        for length in range(1, len(self.before)):
            image = self.image(0, length)
            if image is not None and len(image) > last and self.after.startswith(image):
                last = len(image)
                yield length, last

    def half(self) -> tuple[int, int] | None:
        """A place near the middle where it can be cut so that each half alone becomes its part.

        That is behind white space only where there is no other: white space at an end may be removed.
        """
        middle, size = len(self.before) // 2, len(self.before)
        for length in sorted(range(middle, middle + _BESIDE), key=lambda one: self.before[one - 1].isspace()):
            first = self.image(0, length)
            if first and self.after.startswith(first) and self.image(length, size) == self.after[len(first) :]:
                return length, len(first)
        return None
