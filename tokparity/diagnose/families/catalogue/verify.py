"""Verdicts on hypotheses: the texts that each was run on, what refuted it, and how many refuted ones were close."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tokparity.diagnose.evidence import Evidence, Observation
from tokparity.diagnose.families.catalogue.candidate import Candidate
from tokparity.diagnose.families.catalogue.problem import Problem
from tokparity.diagnose.families.catalogue.scores import Scores
from tokparity.diagnose.hypothesis import foretells


@dataclass(frozen=True)
class VerificationSet:
    """The observations on which hypotheses are run, and how many of them are of which sort."""

    observations: Sequence[Observation]

    def __iter__(self) -> Iterator[Observation]:
        return iter(self.observations)

    @property
    def members(self) -> int:
        """How many are mismatches that the diagnosis was given."""
        return sum(observation.index is not None for observation in self.observations)

    @property
    def given_controls(self) -> list[Observation]:
        """The controls that the diagnosis was given."""
        return [observation for observation in self.observations if not observation.wrong and not observation.asked]

    @property
    def asked(self) -> int:
        """How many of the observations are texts that the diagnosis ran on the engine."""
        return sum(observation.asked for observation in self.observations)


@dataclass(frozen=True)
class Tried:
    """A hypothesis, what it was run on, and the first observation that it did not reproduce; None if it did all."""

    hypothesis: Candidate
    run_on: VerificationSet
    refuted_by: Observation | None

    @property
    def holds(self) -> bool:
        """Whether every observation was reproduced."""
        return self.refuted_by is None


def verification_set(problem: Problem, evidence: Evidence) -> VerificationSet:
    """The evidence on which explanations are verified: all, as far as its texts are not too long together."""
    return VerificationSet(evidence.shortest(problem.limits.verification_bytes))


def verify(problem: Problem, hypothesis: Candidate, run_on: VerificationSet) -> Tried:
    """The verdict on a hypothesis that must reproduce everything."""
    wrong = next((seen for seen in run_on if not foretells(hypothesis, seen)), None)
    return Tried(hypothesis, run_on, wrong)


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
    bits = sum(1 << i for i, seen in enumerate(scores.sample) if seen.index in wanted and seen.wrong)
    some = [score for score in scores.by_flips.values() if score.reproduced & bits]
    best = sorted(some, key=lambda score: scores.merit(score, bits), reverse=True)
    members = [seen for seen in run_on if seen.index is not None and seen.index in wanted]
    right = [seen for seen in run_on if not seen.wrong]
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
