"""What nothing explains, in groups that have something in common instead of by kind of mismatch."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

from tokparity.case import AnyCase
from tokparity.diagnose.character.find import Group, characterise
from tokparity.diagnose.character.seen import Put
from tokparity.diagnose.explanation import Explanation
from tokparity.finding import Control, Mismatch, Trait
from tokparity.outcome import NOT_ASKED, Encoding, Failure, Outcome

_SECONDS = 12.0
"""After so many seconds no more is asked about one engine."""

_ALONE = 3
"""Mismatches that are put to a process of their own, the smallest of different kinds first."""

_LATE = ("timeout", "slow")
"""A process that is late may only be kept waiting by others on the machine."""

ALONE = "put alone to a new process, the engine answers otherwise than it did in the run"


def characterised(
    explanations: Sequence[Explanation],
    mismatches: Sequence[Mismatch],
    controls: Sequence[Control],
    alone: Callable[[AnyCase], Outcome],
    put: Put,
    over: Callable[[], bool] = lambda: False,
) -> list[Explanation]:
    """The explanations, with what is unexplained in groups that say what they have in common, as far as any do.

    A group may hold mismatches of several kinds, and of ids and of decoding: one fault is one group. Where answers
    depend on more than the text, which `alone` shows, that is said, and nothing is looked for in the texts.
    """
    taken = {i for one in explanations if one.quirks for i in one.members}
    left = [i for i in range(len(mismatches)) if i not in taken]
    if not left or over() or any(one.undiagnosed for one in explanations):
        return list(explanations)
    until = time.monotonic() + _SECONDS
    stop = lambda: over() or time.monotonic() > until  # noqa: E731
    strays = _strays([mismatches[i] for i in left], alone, stop)
    if strays is not None:
        return [one if one.quirks else replace(one, character=(strays,)) for one in explanations]
    groups = characterise([mismatches[i] for i in left], controls, put, stop)
    groups = [replace(group, members=tuple(left[i] for i in group.members)) for group in groups]
    grouped = {i for group in groups for i in group.members}
    kept = [one if one.quirks else replace(one, members=tuple(i for i in one.members if i not in grouped))
            for one in explanations]  # fmt: skip
    return [*(one for one in kept if one.members), *(_of(group, explanations) for group in groups)]


def _strays(
    mismatches: Sequence[Mismatch], alone: Callable[[AnyCase], Outcome], stop: Callable[[], bool]
) -> Trait | None:
    """How many of a few mismatches are answered otherwise by a process that was asked nothing else; None if none is."""
    repeatable = (mismatch for mismatch in mismatches if mismatch.difference.failure not in _LATE)
    ordered = sorted(repeatable, key=lambda mismatch: mismatch.case.question.order)
    firsts = {mismatch.kind: mismatch for mismatch in reversed(ordered)}
    asked = otherwise = 0
    for mismatch in list(dict.fromkeys((*firsts.values(), *ordered)))[:_ALONE]:
        if stop():
            break
        answer = alone(mismatch.case)
        if not (isinstance(answer, Failure) and answer.kind in (*NOT_ASKED, *_LATE)):
            asked += 1
            otherwise += not _same(answer, mismatch.actual)
    return Trait(ALONE, "answer", otherwise, asked) if otherwise else None


def _same(one: Outcome, other: Outcome) -> bool:
    """Whether two answers to one question are the same; of failures the kind is, for messages hold addresses."""
    if isinstance(one, Failure) or isinstance(other, Failure):
        return isinstance(one, Failure) and isinstance(other, Failure) and one.kind == other.kind
    if isinstance(one, Encoding) and isinstance(other, Encoding) and one.ids != other.ids:
        return False
    return type(one) is type(other) and (None in (one.decoded, other.decoded) or one.decoded == other.decoded)


def _of(group: Group, explanations: Sequence[Explanation]) -> Explanation:
    """The group as an explanation without quirks, of the aspect that most of its members were diagnosed in."""
    members = frozenset(group.members)
    shares = Counter({i: len(members & set(one.members)) for i, one in enumerate(explanations) if not one.quirks})
    most = shares.most_common(1)
    like = explanations[most[0][0]] if most else Explanation("ids", "unexplained", ())
    return replace(like, members=group.members, character=group.traits)
