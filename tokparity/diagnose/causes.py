"""Assigns to each mismatch the fewest quirks that reproduce it, out of the sets that explain the engine.

It serves mismatches that were shrunk or found after the diagnosis: it searches nothing and does not run the engine.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tokparity import quirks
from tokparity.diagnose.base import Base
from tokparity.diagnose.evidence import Aspect, evidence_of
from tokparity.diagnose.families.catalogue.attribution import Names, attribute
from tokparity.diagnose.families.catalogue.problem import pose
from tokparity.diagnose.limits import DEFAULT
from tokparity.finding import Mismatch

ASPECTS: tuple[Aspect, ...] = ("ids", "decode", "failure")
"""What is compared, in the order in which it is diagnosed."""


def causes_of(base: Base, explained: Iterable[Names], mismatches: Sequence[Mismatch]) -> list[Names]:
    """For each mismatch the fewest flips that reproduce it, sorted by name; empty where none of these do.

    `explained` are sets of names of flips: single flips of these are tried first, then the sets, the smaller ones
    first, then all flips together.
    """
    hypotheses = _by_size(explained)
    causes: list[Names] = [()] * len(mismatches)
    for aspect in ASPECTS:
        left = evidence_of(aspect, mismatches, ()).members
        problem = pose(aspect, [base], (), None, DEFAULT)
        for names in hypotheses if left else ():
            whole = problem.hypothesis(0, tuple(map(quirks.get, names)))
            for part, members in attribute(problem, whole, left).items():
                for seen in members:
                    if seen.index is not None:
                        causes[seen.index] = part.names
            left = [seen for seen in left if seen.index is not None and not causes[seen.index]]
    return causes


def _by_size(explained: Iterable[Names]) -> list[Names]:
    """Every flip alone, then the sets, then all flips that one engine can have together."""
    sets = list(explained)
    every = dict.fromkeys(name for names in sets for name in names)
    together: Names = ()
    for name in every:
        if not any(quirks.clash(quirks.get(name), quirks.get(other)) for other in together):
            together = (*together, name)
    return list(dict.fromkeys([*((name,) for name in every), *sorted(sets, key=len), together]))
