"""Of the cases that an answer needs before it, as few as do."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tokparity.case import AnyCase

Gives = Callable[[Sequence[AnyCase]], bool]
"""Whether a new process gives the mismatch's answer after these cases."""


def fewer(cases: Sequence[AnyCase], gives: Gives, stop: Callable[[], bool]) -> list[AnyCase]:
    """As few of the cases as do, by leaving out ever smaller parts."""
    kept = list(cases)
    size = -(-len(kept) // 2)
    while size and len(kept) > 1 and not stop():
        for start in range(0, len(kept), size):
            fewer = kept[:start] + kept[start + size :]
            if stop():
                break
            if fewer and gives(fewer):
                kept = fewer
                break
        else:
            size = size // 2
            continue
        size = min(size, -(-len(kept) // 2))
    return kept
