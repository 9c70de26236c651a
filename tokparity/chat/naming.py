"""Which causes explain what a renderer wrote on one template, and which conversations speak against each of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import inf

from tokparity.chat.causes import CAUSES, Cause, predicted
from tokparity.chat.compare import Answer, alike
from tokparity.chat.renderer import Renderer
from tokparity.difference import first_difference
from tokparity.outcome import DEADLY, NOT_ASKED, Failure, Rendering
from tokparity.questions.render import Render

Causes = tuple[Cause, ...]

_MOST_TOGETHER = 3
_MOST_IN_THREES = 6
"""Causes that change a prompt of a template, of which the first few are tried by threes."""

_SAMPLE = 5
"""Conversations of which several causes together must explain one before all are put."""


class Predictions:
    """What the reference writes with causes; the answers to the same questions are kept."""

    def __init__(self, reference: Renderer) -> None:
        self._reference = reference
        self._known: dict[tuple[str, ...], list[Answer]] = {}
        self._questions: Sequence[Render] = ()

    def of(self, questions: Sequence[Render], causes: Causes) -> list[Answer]:
        """The answers with these causes."""
        if questions is not self._questions:
            self._known.clear()
            self._questions = questions
        key = tuple(cause.name for cause in causes)
        if key not in self._known:
            self._known[key] = self.now(questions, causes)
        return self._known[key]

    def now(self, questions: Sequence[Render], causes: Causes) -> list[Answer]:
        """The answers to a few questions, which are not kept here."""
        return predicted(causes, self._reference, questions)


@dataclass(frozen=True)
class Compared:
    """The right answers and a renderer's to the same questions, and the places where it is `wrong`, and the `same`."""

    questions: Sequence[Render]
    right: Sequence[Answer]
    its: Sequence[Answer]
    wrong: Sequence[int]
    same: Sequence[int]
    predictions: Predictions

    def predict(self, causes: Causes) -> list[Answer]:
        """What the reference answers with these causes, to each question."""
        return self.predictions.of(self.questions, causes)

    def agree(self, causes: Causes, places: Sequence[int]) -> list[int]:
        """Those of the places where the causes predict the renderer's answer."""
        answers = self.predict(causes) if causes else self.right
        return [i for i in places if alike(answers[i], self.its[i])]

    def hit(self, causes: Causes, places: Sequence[int]) -> bool:
        """Whether the causes predict the renderer's answer to one of a few places."""
        answers = self.predictions.now([self.questions[i] for i in places], causes)
        return any(alike(answer, self.its[i]) for answer, i in zip(answers, places, strict=True))


@dataclass(frozen=True)
class Named:
    """Causes, the places that they explain, and those that speak `against` them.

    They change the prompt there, and neither they alone nor with others that are named give the renderer's.
    """

    causes: Causes
    places: tuple[int, ...]
    against: tuple[int, ...] = ()
    refuting: int = 0
    """Of those against them, the places where the prompt that they predict is no nearer to the renderer's."""


def named(given: Compared) -> list[Named]:
    """The fewest causes first; what is refuted more often than it explains is not named."""
    refuted: set[Causes] = set()
    while True:
        fewest = list(_fewest(given, refuted))
        found = [_weighed(given, one, fewest) for one in fewest]
        worse = [one for one in found if one.refuting > _explained(one, found)]
        if not worse:
            return found
        refuted.add(max(worse, key=lambda one: one.refuting).causes)


def _weighed(given: Compared, one: Named, found: Sequence[Named]) -> Named:
    """With what speaks against it. A cause that another one hides brings the prompt nearer, as one of two faults."""
    foreseen, against = given.predict(one.causes), _against(given, one, found)
    far = [i for i in against if _distance(foreseen[i], given.its[i]) >= _distance(given.right[i], given.its[i])]
    return replace(one, against=against, refuting=len(far))


def _distance(mine: Answer, its: Answer) -> float:
    """Characters of two prompts between the beginning and the end that both have; infinite where one is none."""
    ours, theirs = _prompt(mine), _prompt(its)
    if ours is None or theirs is None:
        return inf
    begin = first_difference(ours, theirs)
    end = first_difference(ours[begin:][::-1], theirs[begin:][::-1])
    return len(ours) + len(theirs) - 2 * (begin + end)


def _explained(one: Named, found: Sequence[Named]) -> int:
    """Places that the causes explain, alone or together with others."""
    return sum(len(other.places) for other in found if set(one.causes) <= set(other.causes))


def _fewest(given: Compared, refuted: set[Causes]) -> Iterator[Named]:
    left, used = list(given.wrong), set[Cause]()
    active = [one for one in CAUSES if any(not alike(given.right[i], given.predict((one,))[i]) for i in left)]
    for size in range(1, _MOST_TOGETHER + 1):
        while left:
            # Several causes together are seen in prompts alone: that both write none may have any reason.
            seen = [i for i in left if size == 1 or _prompt(given.its[i]) is not None]
            tried = [one for one in _tried(given, size, active, used, seen) if one not in refuted]
            agree = {one: len(given.agree(one, (*seen, *given.same))) - len(given.same) for one in tried}
            best = max(tried, key=lambda one: agree[one], default=None)
            if best is None or agree[best] <= 0:
                break
            told = given.agree(best, left)
            yield Named(best, tuple(told))
            used.update(best)
            left = [i for i in left if i not in told]


def _tried(
    given: Compared, size: int, active: Sequence[Cause], used: set[Cause], seen: Sequence[int]
) -> Iterator[Causes]:
    """The causes that are tried together: if several, those that explain one of a few conversations."""
    if size == 1:
        yield from ((one,) for one in active)
        return
    few = sorted(seen, key=lambda i: len(given.questions[i].conversation.spelled))
    few = few[:: max(len(few) // _SAMPLE, 1)][:_SAMPLE]
    first = active if size < _MOST_TOGETHER else sorted(active, key=lambda one: one not in used)[:_MOST_IN_THREES]
    yield from (both for both in combinations(_ordered(first), size) if given.hit(both, few))


def _ordered(causes: Sequence[Cause] | set[Cause]) -> Causes:
    return tuple(cause for cause in CAUSES if cause in causes)


def _against(given: Compared, one: Named, found: Sequence[Named]) -> tuple[int, ...]:
    """Where the causes change the prompt, and nothing that is named with them gives the renderer's.

    Who writes no prompt says nothing of causes that were seen in prompts, for it fails before they show.
    """
    foreseen = given.predict(one.causes)
    in_prompts = any(_prompt(given.its[i]) is not None for i in one.places)
    left = [
        i
        for i in given.wrong
        if not alike(given.right[i], foreseen[i])
        and not (isinstance(its := given.its[i], Failure) and its.kind in (*DEADLY, *NOT_ASKED))
        and (not in_prompts or _prompt(its) is not None)
    ]
    for other in (one, *found):
        told = given.agree(_ordered({*one.causes, *other.causes}), left) if left else []
        left = [i for i in left if i not in told]
    return tuple(left)


def _prompt(answer: Answer) -> str | None:
    return answer.prompt if isinstance(answer, Rendering) else None
