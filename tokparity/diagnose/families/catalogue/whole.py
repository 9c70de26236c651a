"""Complete explanations: searched on a sample, verified on all evidence, and tested on the engine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tokparity.diagnose.evidence import Evidence, Observation
from tokparity.diagnose.families.catalogue.attack import Attack, attack
from tokparity.diagnose.families.catalogue.candidate import Candidate
from tokparity.diagnose.families.catalogue.experiments import experiment
from tokparity.diagnose.families.catalogue.problem import Problem
from tokparity.diagnose.families.catalogue.ranking import ranked
from tokparity.diagnose.families.catalogue.sample import sample
from tokparity.diagnose.families.catalogue.search import SearchResult, search
from tokparity.diagnose.families.catalogue.verify import Tried, VerificationSet, verification_set, verify
from tokparity.finding import RuledOut
from tokparity.questions import Encode


@dataclass(frozen=True)
class Survey:
    """What came of looking for one explanation of everything.

    `survivors` hold on all of `evidence`, which has the engine's answers; `refuted` are hypotheses that held before
    these were known. `result` is that of the last search, `attack` the last one on what survived.
    """

    survivors: Sequence[Candidate]
    evidence: Evidence
    result: SearchResult
    refuted: tuple[RuledOut, ...]
    attack: Attack


def explain_everything(problem: Problem, evidence: Evidence) -> Survey:
    """Search a sample, verify and attack what fits, and search again with what refuted it."""
    limits = problem.limits
    searched = sample(evidence.observations, limits)
    refuted: list[Tried] = []
    nearly: list[Candidate] = []
    attacked = Attack()
    for _ in range(limits.search_rounds):
        result = search_sample(problem, searched, nearly)
        whole = (problem.hypothesis(fit.base, fit.quirks) for fit in result.fits)
        fits = ranked(problem.bases[0], evidence.members, whole)
        holding, refuting = _verified(problem, evidence, fits)
        if holding and problem.ask is not None and not problem.budget.is_interrupted:
            answers = experiment(problem, evidence, holding, thorough=True)
            verdicts = [verify(problem, hypothesis, VerificationSet(answers)) for hypothesis in holding]
            evidence = evidence.plus(answers)
            surviving = [verdict.hypothesis for verdict in verdicts if verdict.holds]
            if surviving:
                attacked = attack(problem, evidence, surviving[: limits.attacked_hypotheses])
                verdicts += [verify(problem, one, VerificationSet(attacked.answers)) for one in surviving]
                evidence = evidence.plus(attacked.answers)
            refuted += [verdict for verdict in verdicts if not verdict.holds]
            fallen = [verdict.hypothesis for verdict in refuted]
            holding = [hypothesis for hypothesis in surviving if hypothesis not in fallen]
            refuting = [verdict.refuted_by for verdict in verdicts if verdict.refuted_by is not None]
        if holding or not fits or problem.budget.is_done:
            break
        searched = [*searched, *refuting]
        nearly = [fit for fit in fits if len(fit.quirks) > 1][: limits.completed_fits]
    if not holding:
        holding = _of_what_is_judged(problem, evidence, refuted)
    return Survey(holding, evidence, result, tuple(_ruled_out(verdict, evidence) for verdict in refuted), attacked)


def search_sample(problem: Problem, searched: Sequence[Observation], nearly: Sequence[Candidate] = ()) -> SearchResult:
    """The search on a sample, with a model reduced to its texts; `nearly` fitted a smaller sample."""
    runs, seen = problem.reduced_to(searched)
    return search(runs, problem.quirks, seen, problem.budget, problem.limits, nearly)


def _verified(
    problem: Problem, evidence: Evidence, fits: Sequence[Candidate]
) -> tuple[list[Candidate], list[Observation]]:
    """The fits that hold on all evidence and with the whole vocabulary; for the others what refuted them."""
    run_on = verification_set(problem, evidence)
    verdicts = [verify(problem, fit, run_on) for fit in fits[: problem.limits.verified_hypotheses]]
    refuting = dict.fromkeys(verdict.refuted_by for verdict in verdicts if verdict.refuted_by is not None)
    return [verdict.hypothesis for verdict in verdicts if verdict.holds], list(refuting)


def _of_what_is_judged(problem: Problem, evidence: Evidence, refuted: Sequence[Tried]) -> list[Candidate]:
    """What explains all that a run judges, though not how the engine decodes wrong ids."""
    judged = VerificationSet([seen for seen in verification_set(problem, evidence) if not seen.beside])
    spared = [v.hypothesis for v in refuted if v.refuted_by is not None and v.refuted_by.beside]
    return [hypothesis for hypothesis in spared if verify(problem, hypothesis, judged).holds]


def _ruled_out(verdict: Tried, evidence: Evidence) -> RuledOut:
    """A hypothesis that explained every mismatch until the engine was asked."""
    members = len(evidence.members)
    question = verdict.refuted_by.case.question if verdict.refuted_by is not None else Encode(b"")
    return RuledOut(verdict.hypothesis.names, members, members, question)
