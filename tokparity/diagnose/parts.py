"""Explanations of parts: where several causes meet in one engine, which mismatches each of them explains."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tokparity.diagnose.attribution import attribute
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


def explain_parts(problem: Problem, evidence: Evidence, known: Hypothesis | None = None) -> Parts:
    """Select flips one after the other, beginning with what is `known`; drop those that are contradicted; give each
    mismatch to those that it needs."""
    base = known.base if known is not None else _starting_base(problem, evidence)
    start = [Selection((quirk,)) for quirk in known.quirks] if known is not None else []
    selections, evidence = select(problem, evidence, base, start)
    selections, evidence = eliminate(problem, evidence, base, selections)
    run_on = verification_set(problem, evidence)
    together = problem.hypothesis(base, flips_of(selections))
    explained = [
        Part(part.names, _alternatives(problem, part, selections), members)
        for part, members in attribute(problem, together, evidence.members).items()
        if part.base or part.quirks
    ]
    taken = {id(seen) for part in explained for seen in part.members}
    return Parts(explained, [seen for seen in evidence.members if id(seen) not in taken], run_on)


def _alternatives(problem: Problem, part: Hypothesis, selections: Sequence[Selection]) -> tuple[tuple[str, ...], ...]:
    """The sets of flips that would have done as well as the selection that is all of a part."""
    same = (selection for selection in selections if set(selection.quirks) == set(part.quirks))
    return tuple(problem.hypothesis(part.base, other).names for one in same for other in one.alternatives)


def _starting_base(problem: Problem, evidence: Evidence) -> int:
    """Another source that the engine read, if that explains something and nothing speaks against it."""
    run_on = verification_set(problem, evidence)
    for base in range(1, len(problem.bases)):
        if fits_in_part(problem.hypothesis(base), run_on, problem.predictor, problem.limits):
            return base
    return 0
