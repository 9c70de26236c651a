"""Targets: unexplained mismatches made shorter with the engine's help, until they show one cause alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tokparity.case import Case, Origin
from tokparity.diagnose.evidence import Observation, size
from tokparity.diagnose.families.catalogue.answers import answered, posed
from tokparity.diagnose.families.catalogue.candidate import Candidate
from tokparity.diagnose.families.catalogue.problem import Problem
from tokparity.diagnose.hypothesis import foretells
from tokparity.questions import Question

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
        if seen is None or seen.is_control or seen.kind != self.target.kind:
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
    right, wrong = ([o for o in near if o.is_control is whether] for whether in (True, False))
    return seen[smallest], [*right[: limits.neighbours], *wrong[: limits.neighbours]], shrinking.asked
