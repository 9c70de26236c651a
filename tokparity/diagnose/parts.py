"""Explanations of parts: where several causes meet in one engine, which mismatches each of them explains."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tokparity.diagnose.evidence import Evidence, Observation
from tokparity.diagnose.hypothesis import Hypothesis
from tokparity.diagnose.partial import fits_in_part
from tokparity.diagnose.problem import Problem
from tokparity.diagnose.selection import Selection
from tokparity.diagnose.stepwise import eliminate, flips_of, select
from tokparity.diagnose.verify import VerificationSet, verification_set


@dataclass(frozen=True)
class Part:
    """Flips that reproduce these mismatches, and sets of flips that do as well."""

    quirks: tuple[str, ...]
    alternatives: tuple[tuple[str, ...], ...]
    members: Sequence[Observation]


@dataclass(frozen=True)
class Parts:
    """The parts that are `explained`, the mismatches that are `left`, and what the explanations were run on."""

    explained: Sequence[Part]
    left: Sequence[Observation]
    run_on: VerificationSet


def explain_parts(problem: Problem, evidence: Evidence) -> Parts:
    """Select flips one after the other, drop those that are contradicted, and give each the mismatches it explains."""
    base = _starting_base(problem, evidence)
    selections, evidence = select(problem, evidence, base)
    selections, evidence = eliminate(problem, evidence, base, selections)
    run_on = verification_set(problem, evidence)
    together = problem.hypothesis(base, flips_of(selections))
    excused = {seen for seen in run_on if not seen.is_control and problem.reproduces(together, seen)}
    explained: list[Part] = []
    left: Sequence[Observation] = evidence.members
    for hypothesis, alternatives in _alone(problem, base, selections):
        if fits_in_part(hypothesis, run_on, problem.predictor, problem.limits, fewest=1, excused=excused):
            left = _take(problem, hypothesis, alternatives, left, explained)
    if selections:
        needed = _needed(problem, base, selections, left)
        left = _take(problem, needed, (), left, explained)
    return Parts(explained, left, run_on)


def _starting_base(problem: Problem, evidence: Evidence) -> int:
    """Another source that the engine read, if that explains something and nothing speaks against it."""
    run_on = verification_set(problem, evidence)
    for base in range(1, len(problem.bases)):
        if fits_in_part(problem.hypothesis(base), run_on, problem.predictor, problem.limits):
            return base
    return 0


def _alone(
    problem: Problem, base: int, selections: Sequence[Selection]
) -> list[tuple[Hypothesis, tuple[tuple[str, ...], ...]]]:
    """Each cause by itself, with its alternatives."""
    alone: list[tuple[Hypothesis, tuple[tuple[str, ...], ...]]] = []
    if base:
        alone.append((problem.hypothesis(base), ()))
    for start in sorted({0, base}):
        for selection in selections:
            names = tuple(problem.hypothesis(start, other).names for other in selection.alternatives)
            alone.append((problem.hypothesis(start, selection.quirks), names))
    return alone


def _take(
    problem: Problem,
    hypothesis: Hypothesis,
    alternatives: tuple[tuple[str, ...], ...],
    left: Sequence[Observation],
    explained: list[Part],
) -> Sequence[Observation]:
    """Add what the hypothesis reproduces of what is left to what is explained; what is left then."""
    members = [seen for seen in left if problem.reproduces(hypothesis, seen)]
    if not members:
        return left
    explained.append(Part(hypothesis.names, alternatives, members))
    taken = set(members)
    return [seen for seen in left if seen not in taken]


def _needed(problem: Problem, base: int, selections: Sequence[Selection], left: Iterable[Observation]) -> Hypothesis:
    """Of all flips together, those without which something that is left is not explained."""
    together = problem.hypothesis(base, flips_of(selections))
    members = [seen for seen in left if problem.reproduces(together, seen)]
    needed = list(selections)
    for selection in selections:
        fewer = problem.hypothesis(base, flips_of(other for other in needed if other is not selection))
        if all(problem.reproduces(fewer, seen) for seen in members):
            needed.remove(selection)
    return problem.hypothesis(base, flips_of(needed))
