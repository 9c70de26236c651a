"""Whether an engine repeats itself: what it answers to a text in a fresh process, alone.

Where that is not what it answered before, either its answer depends on what it was asked before (state: then the
history is made as short as it goes), or on nothing that we know (chance: then it is counted how often).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from tokparity.case import AnyCase, Case, Origin
from tokparity.finding import Mismatch, Sort
from tokparity.questions import Encode, Question
from tokparity.session.fresh import Fresh, is_right, same

_FIRST, _TIMES = 4, 20
_IN_A_ROW = 150
_NEAR = 64
"""Texts right before another one that are tried for it alone; of what is further away many are tried together."""

_TARGETS = 200
_TAILS = (256, 2048, 16_384)
_TRIED = 3
"""Texts whose history is looked for, where that of the first does not show anything."""

_ORIGIN = Origin("diagnosis")


@dataclass(frozen=True)
class Unrepeated:
    """What kind of finding it is, why, in a sentence, and the mismatch that shows it, with its history."""

    sort: Sort
    why: str
    shown: Mismatch


def repeats(fresh: Fresh, mismatch: Mismatch) -> bool:
    """Whether the engine gives in fresh processes, alone, twice, what it gave in the run."""
    return all(same(fresh.alone(mismatch.case), mismatch.actual) for _ in range(2))


def examined(
    fresh: Fresh, mismatches: Sequence[Mismatch], before: Callable[[Question], Sequence[Question]],
    stop: Callable[[], bool],
) -> Unrepeated:  # fmt: skip
    """What is the matter with mismatches that do not come again; `before` are the questions put before another one."""
    smallest = sorted(mismatches, key=lambda found: found.case.question.order)
    for place, mismatch in enumerate(smallest[:_TRIED]):
        found = (
            _chance(fresh, mismatch)
            or _of_itself(fresh, mismatch)
            or _state(fresh, mismatch, _alike(before(mismatch.case.question), mismatch.case.question)[-_NEAR:], stop)
        )
        if found is None and not place:
            found = _together(fresh, smallest, before(mismatch.case.question), stop)
        if found is not None or stop():
            return found or _lost(smallest[0], is_late=True)
    return _lost(smallest[0], is_late=False)


def _together(
    fresh: Fresh, mismatches: Sequence[Mismatch], before: Sequence[Question], stop: Callable[[], bool]
) -> Unrepeated | None:
    """That one of many is answered otherwise after what was put before, and after the others."""
    like = mismatches[0].case.question
    targets = [m for m in mismatches if m.case.question.alike == like.alike][:_TARGETS]
    every = _alike(before, like)
    for size in _TAILS:
        history = [*every[-size:], *(m.case.question for m in targets)]
        answers = fresh.answers([Case(question, _ORIGIN) for question in history])[-len(targets) :]
        for place, (mismatch, answer) in enumerate(zip(targets, answers, strict=True)):
            # What is as wrong as in the run was right alone, or it would not be here.
            if stop():
                return None
            if same(answer, mismatch.actual):
                earlier = [q for q in history[: len(history) - len(targets) + place] if q != mismatch.case.question]
                found = _state(fresh, mismatch, earlier, stop)
                if found is not None:
                    return found
    return None


def _chance(fresh: Fresh, mismatch: Mismatch) -> Unrepeated | None:
    """That the answers of fresh processes differ."""
    answers = [fresh.alone(mismatch.case) for _ in range(_FIRST)]
    if all(same(answer, answers[0]) for answer in answers):
        return None
    answers += [fresh.alone(mismatch.case) for _ in range(_TIMES - _FIRST)]
    wrong = sum(not is_right(answer, mismatch.expected) for answer in answers)
    return _by_chance(mismatch, wrong, _TIMES, "alone in fresh processes")


def _by_chance(mismatch: Mismatch, wrong: int, times: int, where: str) -> Unrepeated:
    why = f"It answers by chance: asked {times} times {where}, it was wrong {wrong} times"
    again = (mismatch.case.question,) * (_IN_A_ROW - 1)
    return Unrepeated("chance", why, replace(mismatch, history=again))


def _of_itself(fresh: Fresh, mismatch: Mismatch) -> Unrepeated | None:
    """That the same text, put again and again, is answered in more than one way."""
    asked = [mismatch.case] * _IN_A_ROW
    first = fresh.answers(asked)
    other = next((i for i, answer in enumerate(first) if not same(answer, first[0])), None)
    if other is None:
        return None
    second = fresh.answers(asked)
    if not all(map(same, first, second)):
        wrong = sum(not is_right(answer, mismatch.expected) for answer in (*first, *second))
        return _by_chance(mismatch, wrong, 2 * _IN_A_ROW, "in two fresh processes")
    why = f"It keeps state: a fresh process answers otherwise when it is asked the same text for time {other + 1}"
    return Unrepeated("state", why, replace(mismatch, history=(mismatch.case.question,) * other))


def _state(fresh: Fresh, mismatch: Mismatch, before: Sequence[Question], stop: Callable[[], bool]) -> Unrepeated | None:
    """That what was put before decides, with the shortest history that was found to do so."""
    alone = fresh.alone(mismatch.case)

    def shows(history: Sequence[Question]) -> bool:
        cases: list[AnyCase] = [Case(question, _ORIGIN) for question in history]
        return not stop() and not same(fresh.answers([*cases, mismatch.case])[-1], alone)

    history = _short(list(before), shows)
    if history is None or not shows(history):
        return None
    answers = fresh.answers([*(Case(question, _ORIGIN) for question in history), mismatch.case])
    how = "gives the right answer" if is_right(alone, mismatch.expected) else "gives another wrong answer"
    texts = "another text" if len(history) == 1 else f"{len(history):,} other texts"
    why = f"It keeps state: in a fresh process, alone, it {how}; after {texts} it does not"
    return Unrepeated("state", why, replace(mismatch, actual=answers[-1], history=tuple(history)))


def _alike(before: Sequence[Question], like: Question) -> list[Question]:
    """The texts that were put before, with the flags of one question, so that one command can put them all."""
    if not isinstance(like, Encode):
        return list(before)
    texts = dict.fromkeys(question.text for question in reversed(before) if isinstance(question, Encode))
    return [replace(like, text=text) for text in reversed(texts) if text != like.text]


def _short(history: list[Question], shows: Callable[[Sequence[Question]], bool]) -> list[Question] | None:
    """The shortest history found that shows it: its end as far as it takes, then without what is not needed."""
    size = 1
    while not shows(history[-size:]):
        if size >= len(history):
            return None
        size *= 4
    history = history[-size:]
    part = max(len(history) // 2, 1)
    while part:
        start = 0
        while start < len(history) > 1:
            fewer = [*history[:start], *history[start + part :]]
            if fewer and shows(fewer):
                history = fewer
            else:
                start += part
        part //= 2
    return history


def _lost(mismatch: Mismatch, is_late: bool) -> Unrepeated:
    times = _FIRST + _IN_A_ROW
    why = f"It answers otherwise when it is asked again: what it gave did not come again in {times} tries"
    rest = "time was up before its history was tried" if is_late else "nor after what was put before it"
    return Unrepeated("chance", f"{why}, {rest}", mismatch)
