"""When a hypothesis may be believed that explains only some of the mismatches: where nothing speaks against it.

Something like the real cause also explains many mismatches. The difference shows on the others: where several causes
come together, all that one of them does is found in what the engine gave; something that is only like the cause does
things that the engine does not.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import SequenceMatcher

from tokparity.diagnose.evidence import Observation, same
from tokparity.diagnose.families.catalogue.candidate import Candidate
from tokparity.diagnose.limits import Limits
from tokparity.diagnose.policies import Tolerance
from tokparity.outcome import Failure, Outcome

_Row = tuple[int, ...] | bytes


def fits_in_part(
    hypothesis: Candidate,
    observations: Iterable[Observation],
    limits: Limits,
    fewest: int | None = None,
    per_odd: int | None = None,
) -> bool:
    """Whether a hypothesis explains some mismatches, and hardly spoils controls or does what the engine does not.

    Where causes meet, one may undo what the other did, so that an answer is right by accident: one control may be
    spoiled for each `limits.explained_per_spoiled` mismatches that it explains. And an effect may look different; so it
    may do what the engine does not once for each `per_odd` of them (usually `limits.explained_per_odd`). It must
    explain `fewest` (usually `limits.fewest_explained`).
    """
    right = odd = compared = spoiled = 0
    for observation in observations:
        answer = hypothesis.predict(observation)
        if answer is not None and same(answer, observation.actual):
            right += not observation.is_control
            continue
        if answer is None:
            return False
        if observation.is_control:
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
