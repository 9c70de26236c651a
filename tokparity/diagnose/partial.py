"""Explanations of a part of the mismatches, accepted only where nothing speaks against them.

Something like the real cause also explains many mismatches. The difference shows on the others: where several causes
come together, all that one of them does is found in what the engine gave; something that is only like the cause does
things that the engine does not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import combinations

from tokparity.diagnose.evidence import Answer, Base, Observation
from tokparity.diagnose.trials import Candidate, Trials
from tokparity.quirks import flip_all

FEWEST = 3
"""Mismatches that an explanation of a part must explain: fewer are soon explained by chance."""

_COMPARED = 300  # mismatches that are left, of which as many are looked at
_LONGEST = 2000  # ids; aligning longer rows takes too long


def holds_in_part(candidate: Candidate, run: Sequence[Observation], trials: Trials) -> bool:
    """Whether the candidate explains some mismatches, spoils no control, and does nothing that the engine does not."""
    right = 0
    compared = 0
    for observation in run:
        answer = trials.answer(candidate, observation)
        if answer == observation.actual:
            right += not observation.is_control
            continue
        if answer is None or observation.is_control:
            return False
        compared += 1
        if compared <= _COMPARED and not _found_in(answer, observation):
            return False
    return right >= FEWEST


def _found_in(answer: Answer, observation: Observation) -> bool:
    """Whether each change that the candidate makes of what is expected is in what the engine gave."""
    if max(len(answer), len(observation.actual), len(observation.expected)) > _LONGEST:
        return answer == observation.expected
    return _changes(observation.expected, answer) <= _changes(observation.expected, observation.actual)


def _changes(before: Answer, after: Answer) -> set[tuple[int, int, Answer]]:
    codes = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    return {(i1, i2, after[j1:j2]) for tag, i1, i2, j1, j2 in codes if tag != "equal"}


def clusters(
    candidate: Candidate, run: Sequence[Observation], bases: Sequence[Base], trials: Trials
) -> Iterator[tuple[tuple[str, ...], list[Observation]]]:
    """The explained mismatches by the smallest part of the candidate's flips that reproduces them."""
    unflipped = bases[candidate.base].behaviour
    left = [o for o in run if o.index is not None]
    for count in range(0 if candidate.base else 1, len(candidate.quirks) + 1):
        for quirks in combinations(candidate.quirks, count):
            part = Candidate(candidate.base, quirks, flip_all(quirks, unflipped))
            members = [o for o in left if trials.answer(part, o) == o.actual]
            if members:
                taken = set(members)
                left = [o for o in left if o not in taken]
                yield part.names, members
