"""The best path through the lattice of a unigram model."""

from __future__ import annotations

from math import inf
from typing import NamedTuple

from tokparity.behaviour import Trace
from tokparity.reference.lattice import PREFIX_ONLY, WALKED, Lattice, to_float32


class Path(NamedTuple):
    """The best path through a stretch of text."""

    spans: list[tuple[int, int]]
    """(start, end) of each piece, in characters."""
    end: float
    """The sum at the end of the text, on top of the sum that it began with."""


def best_path(
    lattice: Lattice,
    text: str,
    before: float = 0.0,
    narrow: bool = False,
    rebase_below: float = -inf,
    trace: Trace | None = None,
    compares_unrounded: bool = False,
) -> Path:
    """The best path through `text`, its scores summed on top of `before`, in 32 bits if `narrow`, else in 64.

    A character that is no piece by itself may be skipped as unknown. That step comes last, as in every implementation,
    which decides ties. Where a position's sum is under `rebase_below`, it becomes the new zero. In 32 bits a
    sum is compared before it is rounded if `compares_unrounded`.
    """
    get, characters, unknown_score = lattice.table.get, lattice.characters, lattice.unknown_score
    size, early = len(text), narrow and not compares_unrounded
    best, begins = [-inf] * (size + 1), [0] * (size + 1)
    best[0] = before
    for start in range(size):
        if best[start] < rebase_below:
            reached = slice(start, start + lattice.longest + 1)
            best[reached] = [to_float32(s - best[start]) if narrow else s - best[start] for s in best[reached]]
        here = best[start]
        for end in range(start + 1, min(size, start + WALKED) + 1):
            score = get(text[start:end])
            if score is None:
                break
            if score == PREFIX_ONLY:
                continue
            challenger = to_float32(here + score) if early else here + score
            if challenger > best[end]:
                best[end], begins[end] = to_float32(challenger) if narrow else challenger, start
        else:
            for end, score in lattice.longer(text, start):
                challenger = to_float32(here + score) if early else here + score
                if challenger > best[end]:
                    best[end], begins[end] = to_float32(challenger) if narrow else challenger, start
        if text[start] not in characters:
            end = start + 1
            challenger = to_float32(here + unknown_score) if early else here + unknown_score
            if challenger > best[end]:
                best[end], begins[end] = to_float32(challenger) if narrow else challenger, start
    spans = _read_back(begins)
    if trace:
        trace("lattice", {"best": lattice.describe(text, best, begins)})
    return Path(spans, best[-1])


def _read_back(begins: list[int]) -> list[tuple[int, int]]:
    """The spans of the path that ends at the end, given where the best piece to each position begins."""
    spans: list[tuple[int, int]] = []
    end = len(begins) - 1
    while end > 0:
        spans.append((begins[end], end))
        end = begins[end]
    return spans[::-1]
