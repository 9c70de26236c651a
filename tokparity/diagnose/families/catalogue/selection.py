"""Selects one or two more quirks that explain one mismatch and contradict no other answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, islice, product

from tokparity.diagnose.evidence import Evidence, Observation
from tokparity.diagnose.families.catalogue.candidate import Candidate, Predictor, flipped
from tokparity.diagnose.families.catalogue.experiments import experiment
from tokparity.diagnose.families.catalogue.problem import Problem
from tokparity.diagnose.families.catalogue.ranking import ranked
from tokparity.diagnose.families.catalogue.standing import fits_in_part
from tokparity.diagnose.hypothesis import foretells
from tokparity.diagnose.limits import Limits
from tokparity.outcome import Outcome
from tokparity.quirk import Quirk
from tokparity.quirks import clash

Flips = tuple[Quirk, ...]


@dataclass(frozen=True)
class Selection:
    """Flips that were added together, and others that would have done as well."""

    quirks: Flips
    alternatives: tuple[Flips, ...] = ()


def select_for(
    problem: Problem, evidence: Evidence, have: Candidate, target: Observation, near: Sequence[Observation]
) -> tuple[Selection | None, Evidence]:
    """One flip more than we have, or if that does not do two, that explain the target; None where nothing does."""
    small = _small(problem, have.base, [target], near)
    free = [q for q in problem.quirks if q not in have.quirks and not any(clash(q, other) for other in have.quirks)]
    single = [quirk for quirk in free if small.explains((*have.quirks, quirk))]
    selection, evidence = _best(problem, evidence, have, target, [(quirk,) for quirk in single])
    for quirk in single[: problem.limits.completed_flips]:
        if selection is not None:
            break
        # It explains this text, but elsewhere there is more to it.
        odd = _answered_otherwise(problem, evidence, problem.hypothesis(have.base, (*have.quirks, quirk)))
        seen = _small(problem, have.base, [target, *odd], near)
        both = [(quirk, q) for q in free if q != quirk and seen.explains((*have.quirks, quirk, q))]
        selection, evidence = _best(problem, evidence, have, target, both)
    if selection is None and not single:
        pairs = list(_pairs(problem, small, have.quirks, free))
        selection, evidence = _best(problem, evidence, have, target, pairs)
    return selection, evidence


def _pairs(problem: Problem, small: _SmallModel, have: Flips, free: Sequence[Quirk]) -> Iterator[Flips]:
    """Two flips that explain the targets, of which at least one changes something alone."""
    before = small.answers(have)
    touching = [quirk for quirk in free if small.answers((*have, quirk)) != before]
    others = [quirk for quirk in free if quirk not in touching]
    for pair in chain(combinations(touching, 2), product(touching, others)):
        if problem.budget.is_done:
            return
        if not clash(*pair) and small.explains((*have, *pair)):
            yield pair


def _best(
    problem: Problem, evidence: Evidence, have: Candidate, target: Observation, fits: Sequence[Flips]
) -> tuple[Selection | None, Evidence]:
    """Of the flips that explain a target, those that nothing speaks against and that explain most of everything."""
    limits = problem.limits
    observations = evidence.shortest(limits.selection_bytes)
    every = (problem.hypothesis(have.base, (*have.quirks, *quirks)) for quirks in fits)
    whole = ranked(problem.bases[0], evidence.members, every)
    # What was found with a small model is tried with the whole one.
    fitting = islice((fit for fit in whole if foretells(fit, target)), limits.compared_selections)
    holding = [fit for fit in list(fitting) if fits_in_part(fit, observations, limits)]
    if holding and problem.ask is not None and not problem.budget.is_done:
        answers = experiment(problem, evidence, holding)
        evidence = evidence.plus(answers)
        holding = [fit for fit in holding if fits_in_part(fit, answers, limits, 0, 1)]
    if not holding:
        return None, evidence
    added = len(have.quirks)
    best, *same = _most_explaining(problem, holding, observations)
    return Selection(best.quirks[added:], tuple(fit.quirks[added:] for fit in same)), evidence


def _most_explaining(
    problem: Problem, holding: Sequence[Candidate], observations: Sequence[Observation]
) -> list[Candidate]:
    """The hypothesis that reproduces most of the observations, and the others that reproduce the same ones."""
    if len(holding) == 1:
        return list(holding)
    right = {fit.names: {seen for seen in observations if foretells(fit, seen)} for fit in holding}
    best = max(holding, key=lambda fit: len(right[fit.names]))
    return [best, *(fit for fit in holding if fit is not best and right[fit.names] == right[best.names])]


def _answered_otherwise(problem: Problem, evidence: Evidence, hypothesis: Candidate) -> list[Observation]:
    """The shortest mismatches that the hypothesis changes in another way than the engine."""
    observations = evidence.shortest(problem.limits.selection_bytes)
    odd = (seen for seen in observations if hypothesis.predict(seen) not in (seen.expected, seen.actual))
    return list(islice(odd, problem.limits.completing_texts))


@dataclass(frozen=True)
class _SmallModel:
    """A model reduced to the texts that are looked at, and observations in its ids: `targets` are to be explained."""

    base: int
    predictor: Predictor
    limits: Limits
    targets: Sequence[Observation]
    near: Sequence[Observation]

    def answers(self, quirks: Flips) -> list[Outcome | None]:
        """The answers of the model with these quirks to the targets."""
        hypothesis = self._hypothesis(quirks)
        return [hypothesis.predict(target) for target in self.targets]

    def explains(self, quirks: Flips) -> bool:
        """Whether they reproduce all targets and do nothing wrong near them."""
        hypothesis = self._hypothesis(quirks)
        if not all(foretells(hypothesis, target) for target in self.targets):
            return False
        observations = [*self.targets, *self.near]
        return fits_in_part(hypothesis, observations, self.limits, fewest=1)

    def _hypothesis(self, quirks: Flips) -> Candidate:
        return flipped(self.predictor, self.base, quirks)


def _small(problem: Problem, base: int, targets: Sequence[Observation], near: Sequence[Observation]) -> _SmallModel:
    """The model for a few texts."""
    runs, seen = problem.reduced_to([*targets, *near])
    return _SmallModel(base, runs, problem.limits, seen[: len(targets)], seen[len(targets) :])
