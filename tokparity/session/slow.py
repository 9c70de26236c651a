"""Texts over which an engine takes far longer than over others of their length: found, timed again, made smaller."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from math import log

from tokparity.case import AnyCase, Case
from tokparity.difference import Difference
from tokparity.finding import Finding, Mismatch
from tokparity.outcome import Failure
from tokparity.questions import Question
from tokparity.session.fresh import Fresh
from tokparity.session.pace import LEAST, Pace
from tokparity.sources.stress import Timed

TIMES = 1000
"""A text is slow that takes so many times what others of its length take ..."""

_TOGETHER = 8
_AGAIN = 3
_ATTEMPTS = 400


def slowest(fresh: Fresh, pace: Pace, stop: Callable[[], bool]) -> AnyCase | None:
    """A text that is slow however often it is asked; None where no batch that took long holds one."""
    rng = random.Random(0)
    held: list[Sequence[AnyCase]] = []
    for seconds, cases in pace.suspects:
        if seconds < LEAST:
            continue
        starts = list(range(0, len(cases), _TOGETHER))
        rng.shuffle(starts)
        for start in starts:
            part = cases[start : start + _TOGETHER]
            if stop():
                break
            took = fresh.seconds(part)
            pace.calibrate(part, took)
            if took >= LEAST:
                held.append(part)
            # What is usual may only be known after the first slow ones were met.
            while held and not stop() and pace.typical(1) < LEAST:
                for case in held.pop():
                    if is_slow(fresh, pace, case):
                        return case
    return None


def is_slow(fresh: Fresh, pace: Pace, case: AnyCase) -> bool:
    """Whether a text is slow each time that it is asked."""
    limit = max(LEAST, TIMES * pace.typical(case.question.size))
    return all(fresh.seconds([case]) >= limit for _ in range(_AGAIN))


def smaller(fresh: Fresh, pace: Pace, case: AnyCase, stop: Callable[[], bool]) -> AnyCase:
    """The smallest text that is as slow, as far as there is time: each attempt takes as long as it is slow."""
    best = case.question

    def check(questions: Sequence[Question]) -> list[bool]:
        nonlocal best
        found = [False] * len(questions)
        for i, question in enumerate(questions):
            if stop():
                raise TimeoutError
            limit = max(LEAST, TIMES * pace.typical(question.size))
            if fresh.seconds([Case(question, case.origin)]) >= limit:
                found[i] = True
                best = min(best, question, key=lambda one: one.order)
                break  # one is enough: the others are not asked
        return found

    with suppress(TimeoutError):  # the best so far is what there was time for
        case.question.fewer(check, _ATTEMPTS)
    return Case(best, case.origin if best == case.question else case.origin.smaller())


def finding(fresh: Fresh, pace: Pace, case: AnyCase, model: str, engine: str, oracle: str) -> Finding:
    """The finding that a text is slow, with what it took."""
    took = min(fresh.seconds([case]) for _ in range(_AGAIN))
    usual = pace.typical(case.question.size)
    why = (
        f"It takes {told(took)} over this text, {took / usual:,.0f} times what texts of its length take ({told(usual)})"
    )
    return told_of(case, model, engine, oracle, why)


def told_of(case: AnyCase, model: str, engine: str, oracle: str, why: str) -> Finding:
    """A finding about the time that a text takes."""
    late = Failure("timeout", f"late: {why[0].lower()}{why[1:]}")
    shown = Mismatch(case, model, engine, oracle, late, late, Difference("failure", failure="timeout"))
    return Finding(f"{engine}-slow", model, engine, oracle, "unexplained", shown, 0, why_unexplained=why, sort="slow")


def told(seconds: float) -> str:
    """Seconds in a unit that fits."""
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e6:.3g} microseconds"


@dataclass(frozen=True)
class Growth:
    """That time grows with a power of the length, from one text to a longer one."""

    power: float
    short: Timed
    long: Timed


def worst(times: Sequence[Timed]) -> Growth | None:
    """Where time grows most from one length to the next; None where it is nowhere much worse than n log n."""
    found = [
        Growth(log(long.seconds / short.seconds) / log(long.length / short.length), short, long)
        for short, long in pairwise(times)
        if long.seconds >= 2 * LEAST and short.seconds > 0
    ]
    best = max(found, key=lambda growth: growth.power, default=None)
    return best if best is not None and best.power >= _POWER else None


_POWER = 1.5
"""What n log n comes to between 1,000 and 1,000,000 characters is a power of 1.1; up to here it may be the machine."""
