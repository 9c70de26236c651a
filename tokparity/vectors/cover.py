"""Choosing few questions of many: those that show each fault, and tell each pair of faults apart that any can."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

from tokparity.questions import Decode, Question, Render, Stream
from tokparity.vectors.model import Answer, Right, RightPrompt
from tokparity.vectors.spelling import RIGHT_IDS

SHOWN = 2
"""Questions that show each fault, where there are enough."""

_OVERHEAD = 150
"""Bytes of a case in the file beside its text, ids and wrong answers."""
_PER_ID = 12

Wrong = Mapping[str, Mapping[Question, Answer]]
Gain = Callable[[Question], int]


def cover(right: Mapping[Question, Right], wrong: Wrong, times: int = SHOWN) -> list[Question]:
    """A small choice by greedy set cover, in the order in which it was chosen.

    As many of them show each fault, or all that do. Faults that differ on any question differ on a chosen one.
    """
    by_question: dict[Question, dict[str, Answer]] = {question: {} for question in right}
    for name, answers in wrong.items():
        for question, answer in answers.items():
            by_question[question][name] = answer
    chosen = _showing(right, by_question, wrong, times)
    return [*chosen, *_separating(right, by_question, wrong, chosen)]


def groups(names: Iterable[str], wrong: Wrong, questions: Sequence[Question] | None = None) -> list[list[str]]:
    """The faults in groups of those that give the same answers to the questions, or to all that were put."""
    found: dict[object, list[str]] = {}
    for name in names:
        answers = wrong[name]
        if questions is None:
            key: object = frozenset(answers.items())
        else:
            key = tuple((question in answers, answers.get(question)) for question in questions)
        found.setdefault(key, []).append(name)
    return list(found.values())


def cost(question: Question, right: Right) -> int:
    """About how many bytes the case takes in the file."""
    if isinstance(question, Render) and isinstance(right, RightPrompt):  # the template stands there once
        size = len(question.conversation.spelled) + len(right.text or b"")
        return _OVERHEAD + size + _PER_ID * len(right.ids)
    ids = right if isinstance(right, tuple) else question.ids if isinstance(question, Decode | Stream) else ()
    return _OVERHEAD + question.size + _PER_ID * min(len(ids), RIGHT_IDS)


def _showing(
    right: Mapping[Question, Right], by_question: Mapping[Question, Mapping[str, Answer]], wrong: Wrong, times: int
) -> list[Question]:
    needed = {name: min(times, len(answers)) for name, answers in wrong.items()}

    def gain(question: Question) -> int:
        return sum(needed[name] > 0 for name in by_question[question])

    def take(question: Question) -> None:
        for name in by_question[question]:
            needed[name] -= 1

    return _greedy(right, gain, take, ())


def _separating(
    right: Mapping[Question, Right],
    by_question: Mapping[Question, Mapping[str, Answer]],
    wrong: Wrong,
    chosen: Sequence[Question],
) -> list[Question]:
    """What has to be added so that faults that differ on any question differ on a chosen one."""
    together = groups(wrong, wrong, chosen)
    place = {name: number for number, group in enumerate(together) for name in group}
    sizes = Counter(place.values())

    def parts(question: Question) -> dict[tuple[int, Answer], list[str]]:
        found: dict[tuple[int, Answer], list[str]] = {}
        for name, answer in by_question[question].items():
            if sizes[place[name]] > 1:
                found.setdefault((place[name], answer), []).append(name)
        return found

    def gain(question: Question) -> int:
        """Pairs of faults that were together and would not be."""
        left = dict(sizes)
        pairs = 0
        for (number, _), names in parts(question).items():
            left[number] -= len(names)
            pairs += len(names) * left[number]
        return pairs

    def take(question: Question) -> None:
        for (number, _), names in parts(question).items():
            if sizes[number] == len(names):
                continue  # all that were left have this answer
            new = len(sizes)
            for name in names:
                place[name] = new
            sizes[new] = len(names)
            sizes[number] -= len(names)

    return _greedy(right, gain, take, chosen)


def _greedy(
    right: Mapping[Question, Right], gain: Gain, take: Callable[[Question], None], without: Sequence[Question]
) -> list[Question]:
    """The questions with the most gain for their cost, until none has any; what is gained never grows."""
    taken = set(without)
    ordered = sorted((question for question in right if question not in taken), key=lambda one: one.order)
    costs = {question: cost(question, right[question]) for question in ordered}
    heap = [(-worth / costs[q], number) for number, q in enumerate(ordered) if (worth := gain(q))]
    heapq.heapify(heap)
    chosen: list[Question] = []
    while heap:
        promised, number = heapq.heappop(heap)
        question = ordered[number]
        worth = gain(question)
        if not worth:
            continue
        ratio = -worth / costs[question]
        if ratio > promised:  # it brings less than it did when it was looked at
            heapq.heappush(heap, (ratio, number))
            continue
        chosen.append(question)
        take(question)
    return chosen
