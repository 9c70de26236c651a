"""Stepwise selection: adds quirks one by one if no few quirks explain everything at once.

Only all causes together explain a text in which several causes meet, but nearly every cause has a short text of its
own. So mismatches are shrunk, by running the engine, as long as the known quirks do not explain them. A quirk that
explains the short text is selected if no answer of the engine contradicts it. At the end, quirks that spoil the
predictions of others are removed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from tokparity.case import AnyCase, Case, Origin
from tokparity.diagnose.evidence import Evidence, Observation, size
from tokparity.diagnose.families.catalogue.answers import answered, posed
from tokparity.diagnose.families.catalogue.candidate import Candidate
from tokparity.diagnose.families.catalogue.experiments import experiment
from tokparity.diagnose.families.catalogue.problem import Problem
from tokparity.diagnose.families.catalogue.sample import first_of_each_kind
from tokparity.diagnose.families.catalogue.selection import Selection, select_for
from tokparity.diagnose.families.catalogue.verify import verification_set
from tokparity.diagnose.hypothesis import foretells
from tokparity.questions import Question
from tokparity.quirk import Quirk

Shrunk = tuple[Observation, Sequence[Observation], Sequence[Observation]]
"""A short target, some of what the engine gave to texts near it, and all that it was asked on the way."""


@dataclass
class _Shrinking:
    """The texts that were tried in place of a target's, and what the engine answered."""

    problem: Problem
    target: Observation
    have: Candidate
    asked: list[Observation]

    def still_show_it(self, questions: Sequence[Question]) -> list[bool]:
        """Whether each question is a mismatch of the target's kind that what we have does not explain."""
        cases = [Case(question, Origin("diagnosis")) for question in questions]
        asked = [one for one in (posed(self.problem, case) for case in cases) if one is not None]
        answers = [answer for answer in answered(self.problem, asked) if answer is not None]
        self.asked.extend(answers)
        seen = {answer.case.question: answer for answer in answers}
        return [self._shows_it(seen.get(question)) for question in questions]

    def _shows_it(self, seen: Observation | None) -> bool:
        if seen is None or not seen.wrong or seen.kind != self.target.kind:
            return False
        return not foretells(self.have, seen)


def shrunk(problem: Problem, target: Observation, have: Candidate) -> Shrunk:
    """A shortest text of the same kind that `have` does not explain either."""
    limits = problem.limits
    if problem.ask is None or target.case.question.size > limits.shrunk_text_bytes:
        return target, [], []
    shrinking = _Shrinking(problem, target, have, [])
    smallest = target.case.question.fewer(shrinking.still_show_it, limits.shrinking_attempts)
    seen = {target.case.question: target} | {asked.case.question: asked for asked in shrinking.asked}
    near = sorted(seen.values(), key=size)
    right, wrong = ([o for o in near if o.wrong is whether] for whether in (False, True))
    return seen[smallest], [*right[: limits.neighbours], *wrong[: limits.neighbours]], shrinking.asked


@dataclass
class _Tried:
    """What was tried as a target: questions, how often in vain by kind, and short texts that nothing explained."""

    questions: set[Question] = field(default_factory=set)
    failures: Counter[str] = field(default_factory=Counter)
    in_vain: set[tuple[AnyCase, Candidate]] = field(default_factory=set)


def flips_of(selections: Iterable[Selection]) -> tuple[Quirk, ...]:
    """All flips that were selected."""
    return tuple(quirk for selection in selections for quirk in selection.quirks)


def select(
    problem: Problem, evidence: Evidence, base: int, start: Sequence[Selection] = ()
) -> tuple[list[Selection], Evidence]:
    """Forward selection: add flips to those of `start` until nothing is left, or nothing more is found, or the budget
    is spent.

    Returns what was selected, and the evidence with all that the engine was asked.
    """
    selections = list(start)
    tried = _Tried()
    for _ in range(problem.limits.selection_rounds):
        targets = _targets(problem, evidence, problem.hypothesis(base, flips_of(selections)), tried)
        if not targets:
            break
        for target in targets:
            if problem.budget.is_done:
                return selections, evidence
            tried.questions.add(target.case.question)
            have = problem.hypothesis(base, flips_of(selections))
            if foretells(have, target):
                continue
            selection, evidence = _explain(problem, evidence, have, target, tried)
            if selection is None:
                tried.failures[target.kind] += 1
            else:
                selections.append(selection)
    return selections, evidence


def _targets(problem: Problem, evidence: Evidence, have: Candidate, tried: _Tried) -> list[Observation]:
    """The shortest text of each kind that is not explained yet and was not tried."""
    limits = problem.limits
    members = [
        seen
        for seen in evidence.shortest(limits.selection_bytes)
        if seen.index is not None
        and seen.case.question not in tried.questions
        and tried.failures[seen.kind] < limits.failures_per_kind
    ]
    left = [seen for seen in members if not foretells(have, seen)]
    return first_of_each_kind(left)[: limits.targets_per_round]


def _explain(
    problem: Problem, evidence: Evidence, have: Candidate, target: Observation, tried: _Tried
) -> tuple[Selection | None, Evidence]:
    """The flips that explain a target beside those that we have; None where none do."""
    short, near, asked = shrunk(problem, target, have)
    evidence = evidence.plus(asked)
    if (short.case, have) in tried.in_vain:
        return None, evidence
    selection, evidence = select_for(problem, evidence, have, short, near)
    if selection is None:
        tried.in_vain.add((short.case, have))
    return selection, evidence


def eliminate(
    problem: Problem,
    evidence: Evidence,
    base: int,
    selections: Sequence[Selection],
    attacked: Sequence[Observation] = (),
) -> tuple[list[Selection], Evidence]:
    """Backward elimination: drop flips that spoil what the others get right, on all evidence and some texts more.

    Of what was `attacked`, a quirk may spoil one text for each `limits.explained_per_odd` that it explains. There, an
    unknown cause undid what the quirk does.

    Flips were selected where they did what the engine does not, for other causes were not known then. Now they are.
    """
    kept = list(selections)

    def all_but(left_out: Selection | None) -> Candidate:
        return problem.hypothesis(base, flips_of(selection for selection in kept if selection is not left_out))

    if len(kept) > 1 and problem.ask is not None and not problem.budget.is_done:
        evidence = evidence.plus(experiment(problem, evidence, [all_but(None), *map(all_but, kept)]))
    run_on = verification_set(problem, evidence)
    while kept:
        together = all_but(None)
        right, wrong = _sides(problem, together, run_on)
        spoilt = {selection: _sides(problem, all_but(selection), wrong)[0] for selection in kept}
        worst = max(kept, key=lambda selection: len(spoilt[selection]))
        hostile = {id(seen) for seen in attacked}
        needed = sum(id(seen) in hostile for seen in _sides(problem, all_but(worst), right)[1])
        by_attack = sum(id(seen) in hostile for seen in spoilt[worst])
        if by_attack == len(spoilt[worst]) and by_attack * problem.limits.explained_per_odd <= needed:
            break
        kept.remove(worst)
    return kept, evidence


def _sides(
    problem: Problem, hypothesis: Candidate, observations: Iterable[Observation]
) -> tuple[list[Observation], list[Observation]]:
    """The observations that a hypothesis reproduces, and the others."""
    sides: tuple[list[Observation], list[Observation]] = ([], [])
    for seen in observations:
        sides[not foretells(hypothesis, seen)].append(seen)
    return sides
