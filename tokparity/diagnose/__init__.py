"""Diagnosis: finds the fewest quirks with which the reference returns exactly what a deviant engine returned.

It sees no engine, only outcomes and a function that runs the engine on more texts, if there is an engine. So a
stored report is enough. Nothing is guessed: an explanation was run on every mismatch, and it changed no control.
What nothing explains stays unexplained.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence

from tokparity.case import AnyCase
from tokparity.diagnose.asking import Put
from tokparity.diagnose.base import Base
from tokparity.diagnose.blamed import with_blamed
from tokparity.diagnose.budget import Budget
from tokparity.diagnose.causes import ASPECTS, causes_of
from tokparity.diagnose.common_traits import characterised
from tokparity.diagnose.context import concerns, context, sizes
from tokparity.diagnose.evidence import Ask, Aspect, Evidence, Observation, evidence_of, indices, of_mismatch, same
from tokparity.diagnose.explanation import Explanation, not_looked_for, of_everything, of_known, of_parts, unexplained
from tokparity.diagnose.families.answers.relations import relation
from tokparity.diagnose.families.catalogue.judgeable import set_apart, why_unexplained
from tokparity.diagnose.families.catalogue.parts import explain_parts
from tokparity.diagnose.families.catalogue.problem import Problem, pose
from tokparity.diagnose.families.catalogue.recognise import Recognised, recognise
from tokparity.diagnose.families.catalogue.verify import near_misses
from tokparity.diagnose.families.catalogue.whole import explain_everything
from tokparity.diagnose.findings import Found, findings, named_once, plainness
from tokparity.diagnose.limits import DEFAULT, Limits
from tokparity.diagnose.limits.families import WORK, WORK_PER_SECOND
from tokparity.diagnose.spans import explained as explained_spans
from tokparity.diagnose.streams import explained as explained_streams
from tokparity.finding import Control, Mismatch
from tokparity.questions import Spans, Stream
from tokparity.quirk import Quirk

__all__ = [
    "ASPECTS",
    "BY_LAWS",
    "INTERRUPTED",
    "WORK",
    "WORK_PER_SECOND",
    "Ask",
    "Base",
    "Budget",
    "Explanation",
    "Found",
    "Limits",
    "Observation",
    "Put",
    "aspects_of",
    "causes_of",
    "characterised",
    "concerns",
    "context",
    "diagnose",
    "findings",
    "named_once",
    "not_looked_for",
    "of_mismatch",
    "plainness",
    "relation",
    "same",
    "sizes",
    "with_blamed",
]


BY_LAWS = {Stream.KIND: explained_streams, Spans.KIND: explained_spans}
"""What explains the questions whose answers are judged by laws, by the word for their kind."""

INTERRUPTED = "its cause was not looked for to the end: interrupted"
_TOGETHER, _IN_TURN = "known quirks that explain everything", "known quirks one after another"


def diagnose(
    bases: Sequence[Base],
    mismatches: Sequence[Mismatch],
    controls: Sequence[Control],
    quirks: Sequence[Quirk],
    ask: Ask | None = None,
    limits: Limits = DEFAULT,
    known: Collection[str] = (),
    interrupted: Callable[[], bool] = lambda: False,
    fresh: Ask | None = None,
    put: Sequence[AnyCase] = (),
) -> list[Explanation]:
    """Explanations of one engine's mismatches on one model; each mismatch is a member of at most one.

    `bases` are what the oracle reads and, if it is another file, what the engine read. `known` are known quirks of the
    engine. `interrupted` says when to end. `fresh` runs another process of the engine, and `put` are cases that were
    run on the engine. An explanation is attacked with these, and with texts made for it, before it is called verified.
    Each aspect (ids, what ids decode to, failures) has its own budget. For each:

    1. Take what mismatches and controls say about the aspect as evidence; without a mismatch there is nothing to do.
    2. Set apart what cannot be judged, for the unflipped reference is not what the oracle is there.
    3. Recognize what is known of the engine; if that explains everything, nothing is searched.
    4. Look for one explanation of everything: search a sample for the smallest sets of one or two quirks that
       reproduce it. Verify them on all evidence, attack them with new texts, and search again with what refuted them.
       Several that survive are alternatives, ambiguous if a text tells them apart.
    5. If nothing survives, add quirks one by one, each for a mismatch that was shrunk until it shows one cause alone.
       Drop quirks that spoil what the others get right.
    6. Give each mismatch to the fewest flips that reproduce it: one explanation, one cause. What the attack says of
       it, and what is left that looks like it, make it verified, an explanation in part, or none.
    7. What is left is unexplained, with the reason if it is known, and with the hypotheses that came nearest.
    """
    found: list[Explanation] = []
    for aspect in ASPECTS:
        evidence = evidence_of(aspect, mismatches, controls)  # 1
        if not evidence.members:
            continue
        problem = pose(aspect, bases, quirks, ask, limits, interrupted, fresh, put)
        evidence, beyond, why_beyond = set_apart(problem, evidence)  # 2
        if evidence.members:
            found += _explained(problem, evidence, known)
        found += unexplained(problem, beyond, why_beyond)
    return found


def aspects_of(mismatches: Sequence[Mismatch], controls: Sequence[Control]) -> list[Aspect]:
    """The aspects of which there are mismatches, so that each has its share of the time."""
    return [aspect for aspect in ASPECTS if evidence_of(aspect, mismatches, controls).members]


def _explained(problem: Problem, evidence: Evidence, known: Collection[str]) -> Iterator[Explanation]:
    """Steps 3 to 7 of `diagnose`."""
    recognised = recognise(problem, evidence, known)  # 3
    if recognised.is_everything:
        yield from of_known(problem, recognised)  # 6
        return
    if problem.budget.is_too_late_for(_TOGETHER):
        yield from _late(problem, recognised, known)
        return
    survey = explain_everything(problem, recognised.evidence)  # 4
    if survey.survivors:
        yield from of_everything(problem, survey)  # 6
        return
    if problem.budget.is_too_late_for(_IN_TURN):
        yield from _late(problem, recognised, known)
        return
    parts = explain_parts(problem, survey.evidence, recognised.whole)  # 5
    if parts.left and recognised.whole is not None:  # what was taken for known may have stood in the way
        parts = min(parts, explain_parts(problem, survey.evidence), key=lambda found: len(found.left))
    yield from of_parts(problem, survey, parts)  # 6
    nearest = near_misses(problem, survey.result.scores, parts.left, parts.run_on)  # 7
    if problem.budget.is_interrupted:
        yield from not_looked_for(problem.aspect, indices(parts.left), INTERRUPTED)
    else:
        yield from unexplained(problem, indices(parts.left), why_unexplained(problem, parts.left), nearest)


def _late(problem: Problem, recognised: Recognised, known: Collection[str]) -> Iterator[Explanation]:
    """What the clock left: what is known was tried first, so what none of it gives is something else."""
    yield from of_known(problem, recognised)
    left, why = recognised.left, problem.budget.told
    may_be_known = {id(seen) for seen in recognised.left_open(problem, known, left)}
    yield from unexplained(problem, indices(seen for seen in left if id(seen) not in may_be_known), why)
    yield from not_looked_for(problem.aspect, indices(seen for seen in left if id(seen) in may_be_known), why)
