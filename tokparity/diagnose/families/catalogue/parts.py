"""Partial explanations: if an engine has several causes, which mismatches each of them explains."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from tokparity.diagnose.evidence import Evidence, Observation
from tokparity.diagnose.families.catalogue.attack import Attack, attack
from tokparity.diagnose.families.catalogue.attribution import attribute, with_all_flips, with_what_controls_need
from tokparity.diagnose.families.catalogue.candidate import Candidate
from tokparity.diagnose.families.catalogue.problem import Problem
from tokparity.diagnose.families.catalogue.selection import Selection
from tokparity.diagnose.families.catalogue.standing import Standing, fits_in_part, standing
from tokparity.diagnose.families.catalogue.stepwise import eliminate, flips_of, select
from tokparity.diagnose.families.catalogue.verify import VerificationSet, verification_set
from tokparity.diagnose.hypothesis import foretells


@dataclass(frozen=True)
class Partial:
    """Flips that reproduce these mismatches, sets of flips that do as well, and what may be said of them."""

    hypothesis: Candidate
    members: Sequence[Observation]
    standing: Standing
    alternatives: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True)
class Parts:
    """The parts that are `explained`, the mismatches that are `left`, and what the explanations were run on."""

    explained: Sequence[Partial]
    left: Sequence[Observation]
    run_on: VerificationSet


def explain_parts(problem: Problem, evidence: Evidence, known: Candidate | None = None) -> Parts:
    """Select flips one after the other, beginning with what is `known`; drop those that are contradicted; give each
    mismatch to those that it needs."""
    base = known.base if known is not None else _starting_base(problem, evidence)
    start = [Selection((quirk,)) for quirk in known.quirks] if known is not None else []
    selections, evidence = select(problem, evidence, base, start)
    selections, evidence = eliminate(problem, evidence, base, selections)
    attacked = Attack()
    while selections:
        attacked = attack(problem, evidence, [problem.hypothesis(base, flips_of(selections))])
        evidence = evidence.plus(attacked.answers)
        chosen = _chosen_again(problem, evidence, base, selections)
        if flips_of(chosen) != flips_of(selections):
            selections = chosen
            continue
        selections = chosen
        kept, evidence = eliminate(problem, evidence, base, selections, attacked.answers)
        if kept == selections:
            break
        selections = kept
    while True:
        together = problem.hypothesis(base, flips_of(selections))
        found = parts_of(problem, together, evidence, attacked)
        believed = [part for part in found.explained if part.standing.status is not None]
        # A flip that a part is believed for stays, though it stands in another one that is refused.
        needed = {quirk for part in believed for quirk in part.hypothesis.quirks}
        refused = {quirk for part in found.explained for quirk in part.hypothesis.quirks} - needed
        fewer = [selection for selection in selections if refused.isdisjoint(selection.quirks)]
        if fewer == selections or _wrong(problem, base, fewer, evidence) > _wrong(problem, base, selections, evidence):
            break
        selections = fewer
    named = [replace(part, alternatives=_alternatives(problem, part.hypothesis, selections)) for part in believed]
    return Parts(named, left_by(named, evidence), found.run_on)


def _chosen_again(problem: Problem, evidence: Evidence, base: int, selections: Sequence[Selection]) -> list[Selection]:
    """Each selection, or what did as well until more was asked, if it does better now; without what does worse."""
    chosen = list(selections)
    for place, one in enumerate(chosen):
        if not one.alternatives:
            continue
        every = [Selection(quirks) for quirks in (one.quirks, *one.alternatives)]
        wrong = [_wrong(problem, base, [*chosen[:place], other, *chosen[place + 1 :]], evidence) for other in every]
        best = [other.quirks for other, count in zip(every, wrong, strict=True) if count == min(wrong)]
        chosen[place] = Selection(best[0], tuple(best[1:]))
    return chosen


def _wrong(problem: Problem, base: int, selections: Sequence[Selection], evidence: Evidence) -> int:
    """How much of what was asked these flips together get wrong."""
    whole = problem.hypothesis(base, flips_of(selections))
    return sum(not foretells(whole, seen) for seen in evidence.asked)


def parts_of(problem: Problem, whole: Candidate, evidence: Evidence, attacked: Attack, names_all: bool = True) -> Parts:
    """The mismatches that flips reproduce together, each given to those that it needs; what may be said of each.

    Where it `names_all`, a flip that only asked texts show stands with the largest part.
    """
    run_on = verification_set(problem, evidence)
    controls = run_on.given_controls
    attributed = attribute(problem, whole, evidence.members)
    completed = with_what_controls_need(problem, whole, attributed, controls)
    every = with_all_flips(problem, whole, completed) if names_all else completed
    parts = {part: members for part, members in every.items() if part.names}
    taken = {id(seen) for members in parts.values() for seen in members}
    left = [seen for seen in evidence.members if id(seen) not in taken]
    wrong = [seen for seen in (*evidence.asked, *controls) if not foretells(whole, seen)]
    explained = [
        Partial(part, members, standing(problem, part, members, controls, left, wrong, attacked))
        for part, members in parts.items()
    ]
    return Parts(explained, left, run_on)


def left_by(parts: Iterable[Partial], evidence: Evidence) -> list[Observation]:
    """The mismatches that no part has."""
    taken = {id(seen) for part in parts for seen in part.members}
    return [seen for seen in evidence.members if id(seen) not in taken]


def _alternatives(problem: Problem, part: Candidate, selections: Sequence[Selection]) -> tuple[tuple[str, ...], ...]:
    """The sets of flips that would have done as well as the selection that is all of a part."""
    same = (selection for selection in selections if set(selection.quirks) == set(part.quirks))
    return tuple(problem.hypothesis(part.base, other).names for one in same for other in one.alternatives)


def _starting_base(problem: Problem, evidence: Evidence) -> int:
    """Another source that the engine read, if that explains something and nothing speaks against it."""
    run_on = verification_set(problem, evidence)
    for base in range(1, len(problem.bases)):
        if fits_in_part(problem.hypothesis(base), run_on, problem.limits):
            return base
    return 0
