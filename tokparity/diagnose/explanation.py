"""Explanations: what a diagnosis says of some mismatches, and what it was run on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tokparity.diagnose.attribution import alternatives_of, attribute, with_all_flips
from tokparity.diagnose.evidence import Aspect, indices
from tokparity.diagnose.experiments import distinguishing_question
from tokparity.diagnose.near_misses import NearMiss, told
from tokparity.diagnose.parts import Part, Parts
from tokparity.diagnose.problem import Problem
from tokparity.diagnose.recognise import Recognised
from tokparity.diagnose.verify import VerificationSet, verification_set
from tokparity.diagnose.whole import Survey
from tokparity.finding import RuledOut, Status, Trait
from tokparity.questions import Question


@dataclass(frozen=True)
class Explanation:
    """What explains some of the mismatches, which `members` lists by index; `quirks` are empty where nothing does.

    It was run on `verified` of the members, on `asked` texts that the diagnosis put to the engine, and left `controls`
    alone. Where nothing explains the members, `why_unexplained` says why, if that is known, and `near_misses` are the
    hypotheses that come nearest; `character` is what they have in common. `condition` says where alone the quirks show.
    """

    aspect: Aspect
    status: Status
    members: tuple[int, ...]
    quirks: tuple[str, ...] = ()
    alternatives: tuple[tuple[str, ...], ...] = ()
    controls: int = 0
    verified: int = 0
    asked: int = 0
    near_misses: tuple[NearMiss, ...] = ()
    why_unexplained: str = ""
    undiagnosed: bool = False
    """Whether the diagnosis was cut short by a signal or the clock, so that it says nothing about the cause."""
    ruled_out: tuple[RuledOut, ...] = ()
    separating: Question | None = None
    character: tuple[Trait, ...] = ()
    condition: str = ""

    @property
    def nearest(self) -> str:
        """How many of the members the best of the near misses explains; empty if it spoils as many cases or more."""
        return told(self.near_misses, self.members)


def of_everything(problem: Problem, survey: Survey) -> list[Explanation]:
    """The survivors, of which each mismatch is given the fewest flips of the first that reproduce it."""
    first, *others = sorted(survey.survivors, key=lambda hypothesis: hypothesis.names)
    run_on = verification_set(problem, survey.evidence)
    question = None
    if others and problem.aspect != "failure":
        question = distinguishing_question(problem, survey.evidence, survey.survivors)
    equal = [names for hypothesis in survey.survivors for names in survey.result.same_behaviour(hypothesis)]
    alternatives = list(dict.fromkeys([*(hypothesis.names for hypothesis in others), *equal]))
    attributed = with_all_flips(problem, first, attribute(problem, first, survey.evidence.members))
    parts = [
        Part(part.names, alternatives_of(part, first, alternatives), members) for part, members in attributed.items()
    ]
    ruled_out = _ruled_out(problem, survey, {first.names, *alternatives})
    # Alternatives that no text tells apart are told as well: on this model they are one behaviour.
    status: Status = "ambiguous" if question is not None else "verified"
    return [_of(problem, part, run_on, ruled_out, status, question) for part in parts]


def of_parts(problem: Problem, survey: Survey, parts: Parts) -> list[Explanation]:
    """Each part of the mismatches that something explains."""
    named = {names for part in parts.explained for names in (part.quirks, *part.alternatives)}
    ruled_out = _ruled_out(problem, survey, named)
    return [_of(problem, part, parts.run_on, ruled_out) for part in parts.explained]


def of_known(problem: Problem, recognised: Recognised) -> list[Explanation]:
    """What is known of the engine and explains all that it does."""
    parts = [Part(part.names, (), members) for part, members in recognised.parts.items()]
    return [_of(problem, part, recognised.run_on) for part in parts]


def _of(
    problem: Problem,
    part: Part,
    run_on: VerificationSet,
    ruled_out: tuple[RuledOut, ...] = (),
    status: Status = "verified",
    separating: Question | None = None,
) -> Explanation:
    ambiguous = status == "ambiguous" and bool(part.alternatives)
    return Explanation(
        aspect=problem.aspect,
        status="ambiguous" if ambiguous else "verified",
        members=indices(part.members),
        quirks=part.quirks,
        alternatives=part.alternatives,
        controls=run_on.controls,
        verified=len(part.members),
        asked=run_on.asked,
        ruled_out=ruled_out,
        separating=separating if ambiguous else None,
    )


def unexplained(
    problem: Problem, members: Iterable[int], why: str, near_misses: Sequence[NearMiss] = ()
) -> list[Explanation]:
    """That nothing explains these mismatches, if there are any."""
    found = tuple(members)
    if not found:
        return []
    return [Explanation(problem.aspect, "unexplained", found, near_misses=tuple(near_misses), why_unexplained=why)]


def not_looked_for(aspect: Aspect, members: Iterable[int], cut_short: str) -> list[Explanation]:
    """That a signal or the clock came before the cause of these mismatches was found, if there are any."""
    found = tuple(members)
    why = f"its cause was not looked for to the end: {cut_short}"
    return [Explanation(aspect, "unexplained", found, why_unexplained=why, undiagnosed=True)] if found else []


def _ruled_out(problem: Problem, survey: Survey, kept: set[tuple[str, ...]]) -> tuple[RuledOut, ...]:
    """The best of what was refuted, each with a text on which it fails."""
    found = [refuted for refuted in survey.refuted if refuted.quirks not in kept]
    scores = survey.result.scores
    for score in scores.best_first:
        failed = scores.refuting(score)
        if failed is not None and score.hypothesis.names not in kept:
            explains = (score.reproduced & scores.mismatches).bit_count()
            total = scores.mismatches.bit_count()
            found.append(RuledOut(score.hypothesis.names, explains, total, failed.case.question))
    return tuple(found[: problem.limits.told_refuted])
