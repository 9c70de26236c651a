"""What becomes of the matches when a text is split at them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Literal

SplitBehaviour = Literal["removed", "isolated", "merged_with_previous", "merged_with_next", "contiguous"]
Span = tuple[int, int, bool]
"""(start, end, is it a match)."""


def between(found: Iterable[tuple[int, int]], length: int, invert: bool) -> Iterator[Span]:
    """The matches and what lies between them; with `invert` they change places."""
    done = 0
    for start, end in found:
        if done < start:
            yield done, start, invert
        yield start, end, not invert
        done = end
    if done < length:
        yield done, length, invert


def arranged(spans: Iterable[Span], behaviour: SplitBehaviour) -> Iterator[tuple[int, int]]:
    """The words that a split behavior makes of matches and of the text between them."""
    if behaviour == "isolated":
        return ((start, end) for start, end, _ in spans)
    if behaviour == "removed":
        return ((start, end) for start, end, is_match in spans if not is_match)
    if behaviour == "contiguous":
        return _merged(spans, lambda before, now: before == now)
    if behaviour == "merged_with_previous":
        return _merged(spans, lambda before, now: now and not before)
    return _merged_with_next(spans)


def _merged(spans: Iterable[Span], joins: Callable[[bool, bool], bool]) -> Iterator[tuple[int, int]]:
    """Spans, each joined to the one before where `joins(was that a match, is this a match)`."""
    current: Span | None = None
    for start, end, is_match in spans:
        if current and joins(current[2], is_match):
            current = current[0], end, is_match
        else:
            if current:
                yield current[:2]
            current = start, end, is_match
    if current:
        yield current[:2]


def _merged_with_next(spans: Iterable[Span]) -> Iterator[tuple[int, int]]:
    pending: int | None = None
    for start, end, is_match in spans:
        if is_match:
            if pending is not None:
                yield pending, start
            pending = start
        else:
            yield (start if pending is None else pending), end
            pending = None
        last = end
    if pending is not None:
        yield pending, last
