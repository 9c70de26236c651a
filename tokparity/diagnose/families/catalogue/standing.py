"""The standing of a part of an explanation: what it was held against, and so what may be said of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tokparity.diagnose.evidence import Observation, size
from tokparity.diagnose.families.catalogue.attack import Attack
from tokparity.diagnose.families.catalogue.candidate import Candidate
from tokparity.diagnose.families.catalogue.problem import Problem
from tokparity.diagnose.hypothesis import changes, foretells
from tokparity.diagnose.policies import status_of_part
from tokparity.finding import Attacked, Rest, Status


@dataclass(frozen=True)
class Standing:
    """`status` is None where a part is refused: it was contradicted, and what it does not explain looks like it."""

    status: Status | None
    controls: int
    attacked: Attacked
    rest: Rest | None


def standing(
    problem: Problem,
    part: Candidate,
    members: Sequence[Observation],
    controls: Sequence[Observation],
    left: Sequence[Observation],
    wrong: Sequence[Observation],
    attack: Attack,
) -> Standing:
    """What may be said of a part that reproduces `members`.

    All parts together do not reproduce the mismatches that are `left`, and get what was asked `wrong`.
    """
    kinds = {seen.kind for seen in members}
    like = [seen for seen in left if seen.kind in kinds or changes(part, seen)]
    changed = [seen for seen in attack.answers if changes(part, seen)]
    beside = [seen for seen in attack.answers if seen.case.question in attack.edge]
    near = {id(seen) for seen in (*changed, *beside)}
    otherwise = [seen for seen in wrong if id(seen) in near or seen.kind in kinds]
    # How wrong ids are decoded makes an explanation doubtful; no run judges it, so it rules none out.
    contradicting = [seen for seen in wrong if id(seen) in near and not seen.beside]
    judged = {id(seen) for seen in changed if not seen.beside}
    right_share = 1 - sum(id(seen) in judged for seen in contradicting) / max(len(judged), 1)
    limits = problem.limits
    status = status_of_part(
        contradicted=len(contradicting),
        right_share=right_share,
        share=limits.attacked_share,
        is_few=len(members) < limits.part_share * (len(members) + len(like)),
        is_like_left=bool(like or otherwise),
        is_attacked=attack.is_complete and len(changed) >= limits.fewest_attacks,
    )
    return Standing(
        status,
        controls=sum(foretells(part, seen) for seen in controls),
        attacked=Attacked(len(changed), len(beside), len(attack.answers), len(otherwise), attack.is_fresh),
        rest=_rest(like, otherwise),
    )


def _rest(like: Sequence[Observation], otherwise: Sequence[Observation]) -> Rest | None:
    """What is not explained though it looks as if it should be, if there is any."""
    if not like and not otherwise:
        return None
    return Rest(len(like), min((*like, *otherwise), key=size).case.question)
