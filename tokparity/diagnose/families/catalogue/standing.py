"""How sure a part of an explanation is, by the evidence for and against it.

Something similar to the real cause also explains many mismatches. The other answers show the difference: if several
causes meet, everything that a real cause does is found in the engine's answers. A similar cause does things that the
engine does not do.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from tokparity.diagnose.evidence import Observation, same, size
from tokparity.diagnose.families.catalogue.attack import Attack
from tokparity.diagnose.families.catalogue.candidate import Candidate
from tokparity.diagnose.families.catalogue.problem import Problem
from tokparity.diagnose.hypothesis import changes, foretells
from tokparity.diagnose.limits import Limits
from tokparity.diagnose.policies import Tolerance, status_of_part
from tokparity.finding import Attacked, Rest, Status
from tokparity.outcome import Failure, Outcome


@dataclass(frozen=True)
class Standing:
    """`status` is None where a part is refused: it was contradicted, and what it does not explain looks like it.

    `left_open` is what alone keeps it from being verified.
    """

    status: Status | None
    controls: int
    attacked: Attacked
    rest: Rest | None
    left_open: tuple[Observation, ...]


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
    # How wrong ids are decoded makes an explanation doubtful that changes it; no run judges it, so it rules none out.
    otherwise = [
        seen for seen in wrong if (changes(part, seen) if seen.beside else id(seen) in near or seen.kind in kinds)
    ]
    contradicting = [seen for seen in wrong if id(seen) in near and not seen.beside]
    judged = {id(seen) for seen in changed if not seen.beside}
    right_share = 1 - sum(id(seen) in judged for seen in contradicting) / max(len(judged), 1)
    limits = problem.limits
    is_attacked = attack.is_complete and len(changed) >= limits.fewest_attacks
    status = status_of_part(
        contradicted=len(contradicting),
        right_share=right_share,
        share=limits.attacked_share,
        is_few=len(members) < limits.part_share * (len(members) + len(like)),
        is_like_left=bool(like or otherwise),
        is_attacked=is_attacked,
    )
    return Standing(
        status,
        controls=sum(foretells(part, seen) for seen in controls),
        attacked=Attacked(len(changed), len(beside), len(attack.answers), len(otherwise), attack.is_fresh),
        rest=_rest(like, otherwise),
        left_open=(*like, *otherwise) if is_attacked and status is not None else (),
    )


def _rest(like: Sequence[Observation], otherwise: Sequence[Observation]) -> Rest | None:
    """What is not explained though it looks as if it should be, if there is any."""
    if not like and not otherwise:
        return None
    return Rest(len(like), min((*like, *otherwise), key=size).case.question)


_Row = tuple[int, ...] | bytes


def fits_in_part(
    hypothesis: Candidate,
    observations: Iterable[Observation],
    limits: Limits,
    fewest: int | None = None,
    per_odd: int | None = None,
) -> bool:
    """Whether a hypothesis explains some mismatches, and hardly spoils controls or does what the engine does not.

    If causes meet, one may undo what the other did, so that an answer is right by accident. So a part may spoil one
    control for each `limits.explained_per_spoiled` mismatches that it explains. And an effect may look different; so
    it may do what the engine does not once for each `per_odd` of them (usually `limits.explained_per_odd`). It must
    explain `fewest` (usually `limits.fewest_explained`).
    """
    right = odd = compared = spoiled = 0
    for observation in observations:
        answer = hypothesis.predict(observation)
        if answer is not None and same(answer, observation.actual):
            right += observation.wrong
            continue
        if answer is None:
            return False
        if not observation.wrong:
            spoiled += 1
            continue
        compared += 1
        if compared <= limits.compared_mismatches and not _is_part_of(answer, observation, limits):
            odd += 1
    tolerance = Tolerance(
        spoiled_per=limits.explained_per_spoiled,
        odd_per=limits.explained_per_odd if per_odd is None else per_odd,
        fewest=limits.fewest_explained if fewest is None else fewest,
    )
    return tolerance.allows(right, odd, spoiled)


def _is_part_of(answer: Outcome, observation: Observation, limits: Limits) -> bool:
    """Whether each change that the hypothesis makes of what is expected is also in what the engine gave."""
    if answer == observation.expected:
        return True
    before, after, came = map(_row, (observation.expected, answer, observation.actual))
    if max(map(len, (before, after, came))) > limits.compared_ids:
        return False
    return _changes(before, after) <= _changes(before, came)


def _row(outcome: Outcome) -> _Row:
    """What is compared: decoded text where the aspect is decode, else ids."""
    if isinstance(outcome, Failure):
        return ()
    return getattr(outcome, "ids", ()) if outcome.decoded is None else outcome.decoded


def _changes(before: _Row, after: _Row) -> set[tuple[int, int, _Row]]:
    codes = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    return {(i1, i2, after[j1:j2]) for tag, i1, i2, j1, j2 in codes if tag != "equal"}
