"""Near misses: hypotheses that explain some of what is unexplained, and spoil some of what the engine got right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tokparity.diagnose.evidence import Observation
from tokparity.diagnose.families.catalogue.problem import Problem
from tokparity.diagnose.families.catalogue.scores import Scores
from tokparity.diagnose.families.catalogue.verify import VerificationSet
from tokparity.diagnose.hypothesis import foretells


@dataclass(frozen=True)
class NearMiss:
    """A hypothesis that was run on unexplained mismatches (`run_on`, by index) and on `controls` right cases.

    It explains some of the mismatches (`explained`, by index), and gives something else on `spoilt` of the right cases.
    """

    quirks: tuple[str, ...]
    explained: frozenset[int]
    run_on: frozenset[int]
    spoilt: int
    controls: int


def near_misses(
    problem: Problem, scores: Scores, left: Sequence[Observation], run_on: VerificationSet
) -> list[NearMiss]:
    """The hypotheses that did best on what is `left` in the sample, run on all of it and on all that was right."""
    wanted = {observation.index for observation in left}
    bits = sum(1 << i for i, seen in enumerate(scores.sample) if seen.index in wanted and not seen.is_control)
    some = [score for score in scores.by_flips.values() if score.reproduced & bits]
    best = sorted(some, key=lambda score: scores.merit(score, bits), reverse=True)
    members = [seen for seen in run_on if seen.index is not None and seen.index in wanted]
    right = [seen for seen in run_on if seen.is_control]
    found = []
    for score in best[: problem.limits.near_misses]:
        hypothesis = problem.hypothesis(score.hypothesis.base, score.hypothesis.quirks)
        explained = frozenset(o.index for o in members if o.index is not None and foretells(hypothesis, o))
        spoilt = sum(not foretells(hypothesis, seen) for seen in right)
        run = frozenset(o.index for o in members if o.index is not None)
        found.append(NearMiss(hypothesis.names, explained, run, spoilt, len(right)))
    return found


def told(found: Sequence[NearMiss], members: Sequence[int]) -> str:
    """What the best near miss does on some of the mismatches; empty if none explains more than it spoils."""
    wanted = frozenset(members)
    good = [miss for miss in found if len(miss.explained & wanted) > miss.spoilt]
    if not good:
        return ""
    best = max(good, key=lambda miss: len(miss.explained & wanted) - 2 * miss.spoilt)
    but = f", but spoils {best.spoilt} of {best.controls} cases that are right" if best.spoilt else ""
    names = " + ".join(best.quirks)
    return f"{names} explains {len(best.explained & wanted)} of {len(best.run_on & wanted)}{but}"
