"""A sample of the evidence that separates hypotheses quickly: every kind of mismatch, shortest texts first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain, zip_longest

from tokparity.diagnose.evidence import Observation, size
from tokparity.diagnose.limits import Limits


def sample(observations: Sequence[Observation], limits: Limits) -> list[Observation]:
    """The observations on which hypotheses are searched: mismatches of each kind in turn, then controls."""
    # Controls that look like the mismatches refute more than ones that do not; of these the shorter ones again.
    right = sorted((o for o in observations if not o.wrong), key=size)
    wrong = chain.from_iterable(zip_longest(*_by_kind(observations)))
    return [*_bounded(wrong, limits.sample_mismatches, limits), *_bounded(right, limits.sample_controls, limits)]


def first_of_each_kind(observations: Iterable[Observation]) -> list[Observation]:
    """The shortest text of each kind of mismatch, the most frequent kind first."""
    return [group[0] for group in sorted(_by_kind(observations), key=len, reverse=True)]


def _by_kind(observations: Iterable[Observation]) -> list[list[Observation]]:
    """What is not a control, by kind, each the shortest first."""
    groups: dict[str, list[Observation]] = {}
    for observation in observations:
        if observation.wrong:
            groups.setdefault(observation.kind, []).append(observation)
    return [sorted(group, key=size) for group in groups.values()]


def _bounded(source: Iterable[Observation | None], most: int, limits: Limits) -> list[Observation]:
    taken: list[Observation] = []
    room = limits.sample_bytes
    for observation in source:
        if observation is None or (taken and observation.case.question.size > min(room, limits.sample_text_bytes)):
            continue
        taken.append(observation)
        room -= observation.case.question.size
        if len(taken) == most:
            break
    return taken
