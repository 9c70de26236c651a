"""Explanations of a part of the mismatches, accepted only where nothing speaks against them.

Something like the real cause also explains many mismatches. The difference shows on the others: where several causes
come together, all that one of them does is found in what the engine gave; something that is only like the cause does
things that the engine does not.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from difflib import SequenceMatcher

from tokparity.diagnose.evidence import Answer, Observation
from tokparity.diagnose.trials import Candidate, Trials

FEWEST = 3
"""Mismatches that an explanation of a part must explain: fewer are soon explained by chance."""

_COMPARED = 300  # mismatches that are left, of which as many are looked at
_LONGEST = 2000  # ids; aligning longer rows takes too long


def holds_in_part(
    candidate: Candidate,
    run: Sequence[Observation],
    trials: Trials,
    fewest: int = FEWEST,
    per_odd: int = 10,
    excused: Container[Observation] = (),
) -> bool:
    """Whether the candidate explains some mismatches, spoils no control, and hardly does what the engine does not.

    Where causes meet, an effect may look different; so one odd text is let pass for each `per_odd` explained, and those
    are `excused` that all causes together explain.
    """
    right = odd = compared = 0
    for observation in run:
        answer = trials.answer(candidate, observation)
        if answer == observation.actual:
            right += not observation.is_control
            continue
        if answer is None or observation.is_control:
            return False
        if observation in excused:
            continue
        compared += 1
        if compared <= _COMPARED and not _found_in(answer, observation):
            odd += 1
    return right >= fewest and odd * per_odd <= right


def _found_in(answer: Answer, observation: Observation) -> bool:
    """Whether each change that the candidate makes of what is expected is in what the engine gave."""
    if max(len(answer), len(observation.actual), len(observation.expected)) > _LONGEST:
        return answer == observation.expected
    return _changes(observation.expected, answer) <= _changes(observation.expected, observation.actual)


def _changes(before: Answer, after: Answer) -> set[tuple[int, int, Answer]]:
    codes = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    return {(i1, i2, after[j1:j2]) for tag, i1, i2, j1, j2 in codes if tag != "equal"}
