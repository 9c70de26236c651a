"""Which mismatches can be judged: the reference equals the oracle there, and the engine repeats its answer."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from tokparity.diagnose.evidence import Evidence, Observation, indices, size
from tokparity.diagnose.families.catalogue.answers import not_repeated
from tokparity.diagnose.families.catalogue.missing_ids import without_id
from tokparity.diagnose.families.catalogue.problem import Problem
from tokparity.diagnose.families.catalogue.verify import verification_set
from tokparity.outcome import Failure, Outcome
from tokparity.questions.json_text import literal


def set_apart(problem: Problem, evidence: Evidence) -> tuple[Evidence, tuple[int, ...], str]:
    """The evidence that can be judged, the mismatches that cannot (by index), and why not.

    Where the reference is too often not what the oracle is, nothing can be judged, and the evidence is empty.
    """
    observations = verification_set(problem, evidence)
    beyond = {seen for seen in observations if problem.reference.predict(seen) != seen.expected}
    if not beyond:
        return evidence, (), ""
    judged = replace(evidence, given=tuple(seen for seen in evidence.given if seen not in beyond))
    why = _why(problem, evidence, beyond)
    enough = problem.limits.judgeable_share * len(evidence.given)
    if not judged.members or len(judged.given) < enough:
        return Evidence(()), indices(evidence.members), why
    return judged, indices(beyond), why


def _why(problem: Problem, evidence: Evidence, beyond: Collection[Observation]) -> str:
    example = min(beyond, key=size)
    return (
        f"cannot be judged: the reference is not what the oracle is on {len(beyond)} of {len(evidence.given)} "
        f"cases, for one {example.case.question.shown[:60]!r} (it gives "
        f"{_short(problem.reference.predict(example))}, "
        f"the oracle {_short(example.expected)})"
    )


def _short(answer: Outcome | None) -> str:
    if answer is None or isinstance(answer, Failure):
        return "no answer"
    text = repr(list(getattr(answer, "ids", ())) if answer.decoded is None else answer.decoded)
    return text if len(text) <= 80 else text[:77] + "..."


def why_unexplained(problem: Problem, left: Sequence[Observation]) -> str:
    """Why no quirk can give these answers, if known: ids outside the vocabulary, or answers that change."""
    return without_id(problem.bases[0], left) or _not_repeatable(problem, left)


def _not_repeatable(problem: Problem, left: Sequence[Observation]) -> str:
    again = sorted(left, key=size)[: problem.limits.repeated_questions]
    other = not_repeated(problem, again)
    if not other:
        return ""
    text = literal(other[0].case.question.shown[:60])
    return (
        f"The engine does not repeat itself: asked again for {len(again)} of these texts, it gives another answer "
        f"to {len(other)}, the shortest {text}"
    )
