"""Takes from a report the mismatches that nobody looks at: of a cause that is known, hundreds show nothing new."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import accumulate
from typing import Any

from tokparity.finding import Control, Mismatch
from tokparity.report.model import Report

MOST = 24
"""Mismatches that stay of each finding that is known or accepted, and right cases of an engine that has no other."""
MOST_BYTES = 100_000
"""Bytes of those, about (`Mismatch.stored_bytes`); the smallest stays however large it is."""


def thinned(report: Report) -> Report:
    """The report with few mismatches of each known or accepted finding; new findings, and all counts, stay as they are.

    Half of the few are the smallest ones, the others are of all sizes: a table of scripts or origins shows them.
    """
    few = {
        (one.model, one.name): frozenset(_few(report.mismatches, report.members.get((one.model, one.name), ())))
        for one in report.findings
        if one.is_settled
    }
    left_out = {i for place, kept in few.items() for i in report.members.get(place, ()) if i not in kept}
    kept = [i for i in range(len(report.mismatches)) if i not in left_out]
    new = {old: i for i, old in enumerate(kept)}
    members = {place: tuple(new[i] for i in old if i in new) for place, old in report.members.items()}
    mismatches = tuple(report.mismatches[i] for i in kept)
    return replace(report, mismatches=mismatches, members=members, controls=tuple(_controls(report)))


def _controls(report: Report) -> Iterator[Control]:
    """The right cases that stay: all of an engine of which somebody will look for a cause."""
    unsettled = {(one.model, one.engine) for one in report.findings if not one.is_settled}
    taken: Counter[tuple[str, str]] = Counter()
    for control in report.controls:
        pair = control.model, control.engine
        taken[pair] += 1
        if pair in unsettled or taken[pair] <= MOST:
            yield control


def _few(mismatches: Sequence[Mismatch], members: Sequence[int]) -> Iterator[int]:
    """Those that stay of one finding, as far as there is room."""

    def order(index: int) -> tuple[bool, tuple[Any, ...]]:
        # Where an engine keeps state, only those that say what came before can be shown again.
        one = mismatches[index]
        return not (one.after or one.beside), one.case.question.order

    ordered = sorted(members, key=order)
    smallest, rest = ordered[: MOST // 2], ordered[MOST // 2 :]
    spread = rest[:: max(1, -(-len(rest) // (MOST - MOST // 2)))]
    chosen = [*smallest, *spread]
    sizes = accumulate(mismatches[i].stored_bytes for i in chosen)
    return (i for place, (i, size) in enumerate(zip(chosen, sizes, strict=True)) if place == 0 or size <= MOST_BYTES)
