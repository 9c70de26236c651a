"""Attribution: which of an engine's quirks each of its mismatches needs.

Quirks that were found together explain many mismatches, most of which need only one quirk. A mismatch belongs to the
quirks without which it is not reproduced. Only a text that needs several quirks belongs to several.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain

from tokparity.diagnose.evidence import Observation
from tokparity.diagnose.families.catalogue.candidate import Candidate
from tokparity.diagnose.families.catalogue.problem import Problem
from tokparity.diagnose.hypothesis import foretells
from tokparity.quirk import Quirk

Names = tuple[str, ...]


def attribute(
    problem: Problem, whole: Candidate, observations: Sequence[Observation]
) -> dict[Candidate, list[Observation]]:
    """The observations that `whole` reproduces, each under the fewest of its flips that reproduce it as well.

    An observation that one flip alone reproduces needs no other; from the others flips are left out one by one.
    """
    left = [seen for seen in observations if foretells(whole, seen)]
    if len(whole.names) < 2:
        return {whole: left} if left else {}
    found: dict[Candidate, list[Observation]] = {}
    for part in _single_parts(problem, whole):
        taken = {id(seen) for seen in left if foretells(part, seen)}
        if taken:
            found[part] = [seen for seen in left if id(seen) in taken]
            left = [seen for seen in left if id(seen) not in taken]
    needed: dict[tuple[int, Names], Candidate] = {}
    for seen in left:
        least = _least(problem, whole, seen)
        hypothesis = needed.setdefault((least.base, least.names), least)
        found.setdefault(hypothesis, []).append(seen)
    return found


def _single_parts(problem: Problem, whole: Candidate) -> Iterable[Candidate]:
    """The parts of an explanation, each alone: the other file, if it has one, then each of its flips."""
    other_source = [problem.hypothesis(whole.base)] if whole.base else []
    flips = ((quirk,) for quirk in whole.quirks)
    return chain(other_source, (problem.hypothesis(0, quirks) for quirks in flips))


def _least(problem: Problem, whole: Candidate, seen: Observation) -> Candidate:
    """The explanation without the flips that this observation does not need."""
    kept: tuple[Quirk, ...] = whole.quirks
    base = whole.base
    if base and foretells(problem.hypothesis(0, kept), seen):
        base = 0
    for quirk in whole.quirks:
        fewer = tuple(other for other in kept if other is not quirk)
        if foretells(problem.hypothesis(base, fewer), seen):
            kept = fewer
    return problem.hypothesis(base, kept)


def with_what_controls_need(
    problem: Problem,
    whole: Candidate,
    parts: dict[Candidate, list[Observation]],
    controls: Sequence[Observation],
) -> dict[Candidate, list[Observation]]:
    """The same parts; one that alone would spoil what the engine got right has the flips that keep it right as well."""
    spared = [seen for seen in controls if foretells(whole, seen)]
    completed: dict[Candidate, list[Observation]] = {}
    by_names: dict[Names, Candidate] = {}
    for part, members in parts.items():
        spoils = not all(foretells(part, seen) for seen in spared)
        # What was added may spoil another control than the part did alone, so all of them are held.
        more = _completed(problem, whole, part, [*spared, *members]) if spoils else part
        more = by_names.setdefault(more.names, more)
        completed.setdefault(more, []).extend(members)
    return completed


def _completed(problem: Problem, whole: Candidate, part: Candidate, held: Sequence[Observation]) -> Candidate:
    """The part and the fewest of the other flips with which it gives what the engine gave."""
    kept = whole
    for quirk in whole.quirks:
        if quirk not in part.quirks:
            fewer = problem.hypothesis(kept.base, tuple(other for other in kept.quirks if other is not quirk))
            kept = fewer if all(foretells(fewer, seen) for seen in held) else kept
    return kept


def with_all_flips(
    problem: Problem, whole: Candidate, parts: dict[Candidate, list[Observation]]
) -> dict[Candidate, list[Observation]]:
    """The same parts, where the largest also has the quirks that only new texts of the engine show."""
    needed = {quirk.name for part in parts for quirk in part.quirks}
    seldom = tuple(quirk for quirk in whole.quirks if quirk.name not in needed)
    if not parts or not seldom:
        return parts
    largest = max(parts, key=lambda part: len(parts[part]))
    both = problem.hypothesis(largest.base, (*largest.quirks, *seldom))
    if not all(foretells(both, seen) for seen in parts[largest]):
        both = whole
    return {both if part is largest else part: members for part, members in parts.items()}


def alternatives_of(part: Candidate, whole: Candidate, alternatives: Iterable[Names]) -> tuple[Names, ...]:
    """What else would explain a part, where other sets of flips explain the whole as well."""
    others = set(whole.names) - set(part.names)
    found = (tuple(sorted(set(names) - others)) for names in alternatives if others <= set(names))
    return tuple(dict.fromkeys(names for names in found if names and names != part.names))
