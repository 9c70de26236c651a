"""The attack: a fresh process of the engine is run on texts that may refute an explanation before it is believed.

These are all texts that the explanation changes, texts one character away that it does not change, and others.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice, zip_longest

from tokparity import generators
from tokparity.case import AnyCase
from tokparity.diagnose.evidence import Evidence, Observation, size
from tokparity.diagnose.families.catalogue.answers import answered, posed
from tokparity.diagnose.families.catalogue.attack_texts import attack_cases, generated, neighbours
from tokparity.diagnose.families.catalogue.candidate import Candidate
from tokparity.diagnose.families.catalogue.problem import Problem
from tokparity.diagnose.hypothesis import changes
from tokparity.questions import Question


@dataclass(frozen=True)
class Attack:
    """The engine's `answers` to an attack; `edge` are the questions that lie next to what the explanation changes.

    It is complete if no signal ended it, and fresh if it was put to a process of its own.
    """

    answers: tuple[Observation, ...] = ()
    edge: frozenset[Question] = frozenset()
    is_complete: bool = False
    is_fresh: bool = False


def attack(problem: Problem, evidence: Evidence, hypotheses: Sequence[Candidate], share: float = 1.0) -> Attack:
    """Attack the remaining hypotheses with this `share` of the texts that the limits allow.

    There is none where the engine cannot be asked, or where time is up before it begins. That a search did all its
    work is no reason: what it found is attacked all the same.
    """
    limits = problem.limits
    if problem.fresh is None or problem.budget.is_interrupted or problem.budget.is_late:
        return Attack()
    cases = attack_cases(problem.bases[0], problem.put, evidence.observations, share, limits)
    known = {seen.case.question for seen in evidence.given}
    changed, other = _told_apart(problem, hypotheses, (case for case in cases if case.question not in known))
    # What a search has grown from another text, or what was stored by another version, no generator makes.
    here = set(generators.names())
    fruitful = Counter(seen.case.origin.name for seen in changed if seen.case.origin.name in here)
    names = [name for name, _ in fruitful.most_common(limits.fruitful_generators)]
    made = generated(problem.bases[0], names, round(limits.attack_texts * share), seed=8) if names else ()
    also_changed, like_these = _told_apart(problem, hypotheses, made)
    changed += also_changed
    near, edge = _told_apart(problem, hypotheses, _around(changed, limits.attacked_places, limits.neighbours))
    chosen = [
        *_of_all_sorts(problem, hypotheses, changed, round(limits.attack_changed * share)),
        *_of_all_sorts(problem, hypotheses, near, round(limits.attack_changed * share) // 2),
        *_spread(edge, round(limits.attack_edge * share)),
        *_spread(like_these, round(limits.attack_other * share) // 2),
        *_spread(other, round(limits.attack_other * share)),
    ]
    asked = list({observation.case.question: observation for observation in chosen}.values())
    random.Random(0).shuffle(asked)  # so that what a signal leaves out is of all sorts
    return _asked(problem, asked, frozenset(seen.case.question for seen in edge))


def _asked(problem: Problem, asked: Sequence[Observation], edge: frozenset[Question]) -> Attack:
    """The engine's answers; they are asked a few at a time, until a signal ends it."""
    step = problem.limits.attack_batch
    fresh = problem.fresh is not problem.ask
    answers: list[Observation] = []
    for start in range(0, len(asked), step):
        if problem.budget.is_interrupted:
            return Attack(tuple(answers), edge, is_fresh=fresh)
        found = answered(problem, asked[start : start + step], problem.fresh)
        answers += (seen for seen in found if seen is not None)
    return Attack(tuple(answers), edge, is_complete=True, is_fresh=fresh)


def _told_apart(
    problem: Problem, hypotheses: Sequence[Candidate], cases: Iterable[AnyCase]
) -> tuple[list[Observation], list[Observation]]:
    """The questions on which one of the hypotheses says something, and the others."""
    asked = list(_posed(problem, cases))
    says: set[int] = set()
    # One hypothesis after the other: of a large model only a few tokenizers are kept at a time.
    for hypothesis in hypotheses:
        says.update(i for i, one in enumerate(asked) if changes(hypothesis, one))
    sides: tuple[list[Observation], list[Observation]] = ([], [])
    for i, one in enumerate(asked):
        sides[i not in says].append(one)
    return sides


def _posed(problem: Problem, cases: Iterable[AnyCase]) -> Iterator[Observation]:
    """The cases as questions, each with what the reference gives, until a signal ends it."""
    for case in cases:
        if problem.budget.is_interrupted:
            return
        if case.question not in problem.posed:
            problem.posed[case.question] = posed(problem, case)
        found = problem.posed[case.question]
        if found is not None:
            yield found


def _around(changed: Sequence[Observation], places: int, most: int) -> Iterator[AnyCase]:
    """The neighbors of some of the texts: the shortest, and as many of all lengths."""
    rng = random.Random(0)
    some = dict.fromkeys([*sorted(changed, key=size)[:places], *_spread(changed, places)])
    return (case for seen in some for case in neighbours(seen.case.question, rng, most))


def _of_all_sorts(
    problem: Problem, hypotheses: Sequence[Candidate], changed: Sequence[Observation], most: int
) -> Iterator[Observation]:
    """At most `most` observations, in turn from those that each single flip changes, so that a rare flip is tried."""
    alone = {(h.base, quirk): problem.hypothesis(h.base, (quirk,)) for h in hypotheses for quirk in h.quirks}
    if len(alone) < 2:
        return _spread(changed, most)
    does = [[changes(hypothesis, seen) for seen in changed] for hypothesis in alone.values()]
    groups: dict[tuple[bool, ...], list[Observation]] = {}
    for seen, sort in zip(changed, zip(*does, strict=True), strict=True):
        groups.setdefault(sort, []).append(seen)
    in_turn = chain.from_iterable(zip_longest(*groups.values()))
    return islice((seen for seen in in_turn if seen is not None), most)


def _spread(observations: Sequence[Observation], most: int) -> Iterator[Observation]:
    """At most `most` of the observations, evenly chosen."""
    step = max(1, -(-len(observations) // max(most, 1)))
    return islice(observations, 0, None, step)
