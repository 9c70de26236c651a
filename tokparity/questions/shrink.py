"""Shrinking: from a text that shows a disagreement to a shortest one that shows the same.

Every attempt goes through one `Attempts.first`, which remembers and counts; candidates are put to the engines together.
Texts are handled as code points, an invalid byte being one. The order of candidates is fixed, so the result is as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Generic, TypeVar

Item = TypeVar("Item")
Row = tuple[Item, ...]
Check = Callable[[Sequence[Row[Item]]], Sequence[bool]]
"""Candidates -> for each, whether it still shows the same; nothing on those after one that does, where asking costs."""

_TOGETHER = 96
"""Candidates that are put to the engines at a time."""

MOST = 20_000
"""Attempts after which what was reached so far must do."""

_ITEMS = 100
"""An attempt with this many items counts twice, one with twice as many three times."""

_HALVED = 1 << 16
"""Bytes of a text that is halved: each of its characters would cost as much to leave out as all of a short one."""

LARGE = 1 << 23
"""Bytes of a text that is not taken apart into characters: these take many times the memory."""

_ITEMS_TOGETHER = 1_000_000
"""Of longer candidates fewer are put at a time, and none is remembered: a few fill the memory."""

_LONG = 100
"""Longer texts may show something by their length alone."""

_TURN = 4
"""Characters that stand in turn in a long text of which the length is found by halves."""

_SHORT = 16
"""Up to this many items, every combination of one, two or three of them is tried."""

_SIMPLE = " ab10A.\n-'éñ世"
"""Characters that say nothing, the plainest first: a reader sees at once that they don't matter."""


class Attempts(Generic[Item]):
    """Asks about candidates, never twice about the same, and counts."""

    def __init__(self, check: Check[Item], most: int = MOST) -> None:
        self.made = 0
        self._check = check
        self._most = most
        self._known: dict[Row[Item], bool] = {}

    def first(self, candidates: Iterator[Row[Item]]) -> Row[Item] | None:
        """The first candidate that still shows the same; None if none does."""
        batch: list[Row[Item]] = []
        for candidate in candidates:
            batch.append(candidate)
            if len(batch) == _TOGETHER or len(batch) * len(candidate) >= _ITEMS_TOGETHER:
                found = self._among(batch)
                if found is not None:
                    return found
                batch = []
                if self.made >= self._most:  # a long row has more candidates than can even be made
                    return None
        return self._among(batch) if batch else None

    def holds(self, candidate: Row[Item]) -> bool:
        """Whether one candidate still shows the same; it is not counted."""
        if candidate not in self._known:
            (held,) = self._check([candidate])
            self._remember({candidate: held})
            return held
        return self._known[candidate]

    def _among(self, batch: Sequence[Row[Item]]) -> Row[Item] | None:
        new = [candidate for candidate in dict.fromkeys(batch) if candidate not in self._known]
        found: dict[Row[Item], bool] = {}
        if new and self.made < self._most:
            # A long candidate costs as much as several short ones.
            self.made += len(new) + sum(map(len, new)) // _ITEMS
            found = dict(zip(new, self._check(new), strict=False))
            self._remember(found)
        return next((candidate for candidate in batch if found.get(candidate) or self._known.get(candidate)), None)

    def _remember(self, found: Mapping[Row[Item], bool]) -> None:
        self._known.update((row, held) for row, held in found.items() if len(row) < _ITEMS_TOGETHER)


def shrink_text(text: bytes, check: Callable[[Sequence[bytes]], Sequence[bool]], most: int = MOST) -> bytes:
    """A text of as few and as plain characters as can be found for which `check` holds, as it does for `text`.

    A long one is halved first, as long as one half is enough; if that leaves it too large, it stays so.
    """
    while len(text) > _HALVED:
        half = next(i for i in range(len(text) // 2, len(text)) if text[i] & 0xC0 != 0x80 or i > len(text) // 2 + 3)
        halves = text[:half], text[half:]
        found = next((part for part in halves if check([part])[0]), None)
        if found is None:
            break
        text = found
    if len(text) > LARGE:
        return text
    attempts: Attempts[str] = Attempts(lambda rows: check([_encode(row) for row in rows]), most)
    row = _least_repeats(_uniform(tuple(text.decode("utf-8", "surrogateescape")), attempts), attempts)
    while True:
        smaller = simplify(shorten(row, attempts), attempts)
        if smaller == row:
            return _encode(row)
        row = smaller


def _uniform(row: Row[str], attempts: Attempts[str]) -> Row[str]:
    """A long text of one plain character or two in turn, if its length alone shows the same."""
    if len(row) <= _LONG:
        return row
    plain = ("a", " ", "ab", "a ")
    found = attempts.first(tuple(unit[i % len(unit)] for i in range(len(row))) for unit in plain)
    return row if found is None else found


def period(row: Sequence[Item]) -> int:
    """The number of items that repeat in a row; 0 if these are more than a few, or if nothing repeats."""
    return next((size for size in range(1, _TURN + 1) if len(row) > size and row[size:] == row[:-size]), 0)


def _least_repeats(row: Row[str], attempts: Attempts[str]) -> Row[str]:
    """Of a long text of a few characters in turn, as few as still show the same: to and fro between halves."""
    if len(row) <= _LONG or not period(row):
        return row
    fails, shows = 0, len(row)
    while shows - fails > 1:
        middle = (fails + shows) // 2
        fails, shows = (fails, middle) if attempts.holds(row[:middle]) else (middle, shows)
    return row[:shows]


def shrink_ids(ids: Row[int], check: Check[int], most: int = MOST) -> Row[int]:
    """As few ids as can be found for which `check` holds."""
    return shorten(ids, Attempts(check, most))


def shorten(row: Row[Item], attempts: Attempts[Item]) -> Row[Item]:
    """Leave out as many items as possible: from both ends, then halves and smaller parts, then single items."""
    row = _from_both_ends(row, attempts)
    size = max(len(row) // 2, 1)
    while row:
        found = attempts.first(_without_a_stretch(row, size))
        if found is not None:
            row = found
            size = min(size, max(len(row) // 2, 1))
        elif size > 1:
            size //= 2
        else:
            break
    found = attempts.first(_few_of(row))
    return row if found is None else found


def _from_both_ends(row: Row[Item], attempts: Attempts[Item]) -> Row[Item]:
    """The row without as much of its end, and then of its beginning, as can go: a few attempts for a long row."""
    if len(row) <= _SHORT:
        return row
    size = len(row) // 2
    while size:
        shorter = (row[:-size], row[size:]) if size < len(row) else ()
        found = attempts.first(iter(shorter))
        row, size = (row, size // 2) if found is None else (found, min(size, len(found) // 2))
    return row


def _without_a_stretch(row: Row[Item], size: int) -> Iterator[Row[Item]]:
    """The row without each stretch of this many items, from the end on: what shows is mostly near the beginning."""
    if len(row) > _SHORT and len(set(row)) == 1:
        yield row[size:]  # all others are the same
        return
    for end in range(len(row), 0, -size):
        yield row[: max(end - size, 0)] + row[end:]


def _few_of(row: Row[Item]) -> Iterator[Row[Item]]:
    """All rows of one, two or three of a short row's items, then its stretches; only what is shorter."""
    if len(row) <= _SHORT:
        for count in range(1, min(4, len(row))):
            yield from combinations(row, count)
    for count in range(1, min(len(row), _SHORT)):
        yield from (row[start : start + count] for start in range(len(row) - count + 1))


def simplify(row: Row[str], attempts: Attempts[str]) -> Row[str]:
    """Put plainer characters in the place of others: everywhere at once, then one by one."""
    changed = True
    while changed:
        changed = False
        for candidates in (_plainer_everywhere(row), _plainer_somewhere(row)):
            found = attempts.first(candidates)
            if found is not None:
                row, changed = found, True
    return row


def plainness(character: str) -> int:
    """How plain a character is: 0 is the plainest."""
    place = _SIMPLE.find(character)
    return place if place >= 0 else len(_SIMPLE) + ord(character)


def _plainer_than(character: str) -> Iterator[str]:
    yield from _SIMPLE[: min(plainness(character), len(_SIMPLE))]
    lower = character.lower()
    if len(lower) == 1 and plainness(lower) < plainness(character):
        yield lower


def _plainer_everywhere(row: Row[str]) -> Iterator[Row[str]]:
    for old in dict.fromkeys(row):
        for new in _plainer_than(old):
            yield tuple(new if character == old else character for character in row)


def _plainer_somewhere(row: Row[str]) -> Iterator[Row[str]]:
    for at, old in enumerate(row[:_SHORT]):
        for new in _plainer_than(old):
            yield (*row[:at], new, *row[at + 1 :])


def _encode(row: Row[str]) -> bytes:
    return "".join(row).encode("utf-8", "surrogateescape")
