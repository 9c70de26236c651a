"""Whether it is no wonder that nothing explains some mismatches: the engine does not repeat itself."""

from __future__ import annotations

from collections.abc import Sequence

from tokparity.diagnose.evidence import Observation, size
from tokparity.diagnose.families.catalogue.answers import not_repeated
from tokparity.diagnose.families.catalogue.problem import Problem
from tokparity.questions.json_text import literal


def why_not_repeatable(problem: Problem, left: Sequence[Observation]) -> str:
    """A sentence on the texts to which the engine gives another answer when asked again; empty if there are none."""
    again = sorted(left, key=size)[: problem.limits.repeated_questions]
    other = not_repeated(problem, again)
    if not other:
        return ""
    text = literal(other[0].case.question.shown[:60])
    return (
        f"The engine does not repeat itself: asked again for {len(again)} of these texts, it gives another answer "
        f"to {len(other)}, the shortest {text}"
    )
