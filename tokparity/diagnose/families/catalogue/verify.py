"""Verdicts: what came of running a hypothesis on observations, and which observations these were."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tokparity.diagnose.evidence import Evidence, Observation
from tokparity.diagnose.families.catalogue.candidate import Candidate
from tokparity.diagnose.families.catalogue.problem import Problem
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
        return [observation for observation in self.observations if observation.is_control and not observation.asked]

    @property
    def asked(self) -> int:
        """How many are texts that the diagnosis asked the engine."""
        return sum(observation.asked for observation in self.observations)


@dataclass(frozen=True)
class Verdict:
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


def verify(problem: Problem, hypothesis: Candidate, run_on: VerificationSet) -> Verdict:
    """The verdict on a hypothesis that must reproduce everything."""
    wrong = next((seen for seen in run_on if not foretells(hypothesis, seen)), None)
    return Verdict(hypothesis, run_on, wrong)
