"""An explanation: the cause of some mismatches, and the texts on which it was checked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from tokparity.diagnose.evidence import Aspect, Observation, indices
from tokparity.diagnose.families.catalogue.attribution import alternatives_of
from tokparity.diagnose.families.catalogue.experiments import distinguishing_question
from tokparity.diagnose.families.catalogue.parts import Partial, Parts, parts_of
from tokparity.diagnose.families.catalogue.problem import Problem
from tokparity.diagnose.families.catalogue.ranking import likelihood
from tokparity.diagnose.families.catalogue.recognise import Recognised
from tokparity.diagnose.families.catalogue.verify import NearMiss, VerificationSet, told, verification_set
from tokparity.diagnose.families.catalogue.whole import Survey
from tokparity.diagnose.limits import DEFAULT
from tokparity.finding import Attacked, Rest, RuledOut, Status
from tokparity.questions import Question
from tokparity.trait import Trait


@dataclass(frozen=True)
class Explanation:
    """What explains some of the mismatches, which `members` lists by index; `quirks` are empty where nothing does.

    It was run on `verified` of the members, on `asked` texts that the diagnosis put to the engine, and left `controls`
    alone. If nothing explains the members, `why_unexplained` says why, if that is known, and `near_misses` are the
    nearest hypotheses. `character` is what the members have in common.
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
    """Whether a signal or the clock cut the diagnosis short, so that the cause may be known or new."""
    ruled_out: tuple[RuledOut, ...] = ()
    separating: Question | None = None
    attacked: Attacked = field(default_factory=Attacked)
    rest: Rest | None = None
    character: tuple[Trait, ...] = ()
    strays: bool = False
    """Whether a new process that is asked the members alone answers otherwise."""
    left_open: tuple[Observation, ...] = ()
    """What alone keeps it from being verified: it looks like the members, and is not predicted."""
    foretells: Callable[[Observation], bool] | None = None
    """Whether it predicts what the engine answered, where it is no set of quirks."""

    @property
    def nearest(self) -> str:
        """How many of the members the best of the near misses explains; empty if it spoils as many cases or more."""
        return told(self.near_misses, self.members)


def of_everything(problem: Problem, survey: Survey) -> list[Explanation]:
    """The surviving hypotheses; each mismatch gets the fewest quirks of the first one that reproduce it."""
    likely = likelihood(problem.bases[0], survey.evidence.members)
    first, *others = sorted(survey.survivors, key=lambda hypothesis: likely(hypothesis.names))
    run_on = verification_set(problem, survey.evidence)
    question = None
    if others and problem.aspect != "failure":
        question = distinguishing_question(problem, survey.evidence, survey.survivors)
    equal = [names for hypothesis in survey.survivors for names in survey.result.same_behaviour(hypothesis)]
    every = dict.fromkeys([*(hypothesis.names for hypothesis in others), *equal])
    alternatives = sorted(every, key=likely)
    parts = [
        replace(part, alternatives=alternatives_of(part.hypothesis, first, alternatives))
        for part in parts_of(problem, first, survey.evidence, survey.attack).explained
    ]
    ruled_out = _ruled_out(problem, survey, {first.names, *alternatives})
    # Alternatives that no text tells apart are told as well: on this model they are one behavior.
    return [_of(problem, part, run_on, ruled_out, question) for part in parts]


def of_parts(problem: Problem, survey: Survey, parts: Parts) -> list[Explanation]:
    """Each part of the mismatches that something explains."""
    named = {names for part in parts.explained for names in (part.hypothesis.names, *part.alternatives)}
    ruled_out = _ruled_out(problem, survey, named)
    return [_of(problem, part, parts.run_on, ruled_out) for part in parts.explained]


def of_known(problem: Problem, recognised: Recognised) -> list[Explanation]:
    """What is known of the engine and explains all that it does."""
    if recognised.whole is None:
        return []
    found = parts_of(problem, recognised.whole, recognised.evidence, recognised.attack, names_all=False)
    return [_of(problem, part, found.run_on) for part in found.explained]


def _of(
    problem: Problem,
    part: Partial,
    run_on: VerificationSet,
    ruled_out: tuple[RuledOut, ...] = (),
    separating: Question | None = None,
) -> Explanation:
    """A part as an explanation; `separating` is a question on which its alternatives differ."""
    ambiguous = separating is not None and bool(part.alternatives)
    found = part.standing
    return Explanation(
        aspect=problem.aspect,
        status="ambiguous" if ambiguous else found.status or "in part",
        members=indices(part.members),
        quirks=part.hypothesis.names,
        alternatives=part.alternatives,
        controls=found.controls,
        verified=len(part.members),
        asked=run_on.asked,
        ruled_out=ruled_out,
        separating=separating if ambiguous else None,
        attacked=found.attacked,
        rest=found.rest,
        left_open=found.left_open,
    )


def unexplained(
    problem: Problem, members: Iterable[int], why: str, near_misses: Sequence[NearMiss] = ()
) -> list[Explanation]:
    """That nothing explains these mismatches, if there are any."""
    found = tuple(members)
    if not found:
        return []
    return [Explanation(problem.aspect, "unexplained", found, near_misses=tuple(near_misses), why_unexplained=why)]


def not_looked_for(aspect: Aspect, members: Iterable[int], why: str) -> list[Explanation]:
    """That nobody can say whether the cause of these mismatches is new, if there are any; `why` is a signal or the
    clock."""
    found = tuple(members)
    return [Explanation(aspect, "unexplained", found, why_unexplained=why, undiagnosed=True)] if found else []


def completed(explained: Sequence[Explanation]) -> list[Explanation]:
    """The explanations; one that leaves open only what others predict, on mismatches and on new texts, is verified."""
    others = [one.foretells for one in explained if one.foretells is not None]

    def is_told(one: Explanation) -> bool:
        """Whether all that it leaves open is predicted."""
        return all(any(foretells(seen) for foretells in others) for seen in one.left_open)

    nothing_is_open = all((one.quirks or one.foretells) and is_told(one) for one in explained)

    def is_verified(one: Explanation) -> bool:
        if one.foretells is None:
            return bool(one.left_open) and is_told(one)
        was_attacked = one.attacked.changes >= DEFAULT.fewest_attacks and not one.attacked.otherwise
        return bool(one.quirks) and was_attacked and nothing_is_open

    return [replace(one, status="verified", rest=None) if is_verified(one) else one for one in explained]


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
