"""Runs the engine on more texts: no text twice, and no more texts than the budget of work allows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import replace

from tokparity.case import AnyCase, Origin, text_case
from tokparity.diagnose.budget import Budget
from tokparity.diagnose.evidence import Observation
from tokparity.diagnose.limits.families import WORK_PER_QUESTION
from tokparity.diagnose.tokens import NONE, Tokens
from tokparity.questions import Encode, Question

MADE = Origin("diagnosis")
"""The origin of the texts that are made to find and to test what the mismatches have in common."""

Put = Callable[[Sequence[AnyCase]], Sequence[Observation | None]]
"""Puts more cases to the engine and to who judges it; None where nobody could say what is right."""


def remembering(put: Put) -> Put:
    """The same, which puts nothing twice."""
    known: dict[Question, Observation | None] = {}

    def asked(cases: Sequence[AnyCase]) -> Sequence[Observation | None]:
        new = list({case.question: case for case in cases if case.question not in known}.values())
        if new:
            known.update(zip((case.question for case in new), put(new), strict=True))
        return [known[case.question] for case in cases]

    return asked


class Asking:
    """Runs texts with the flags of one question on the engine; no text twice, and within the budget."""

    def __init__(self, put: Put | None, like: Question, budget: Budget, most: int, tokens: Tokens = NONE) -> None:
        self.add_special, self.parse_special = (
            (like.add_special, like.parse_special) if isinstance(like, Encode) else (True, False)
        )
        self.seen: dict[str, Observation] = {}
        self._put, self.budget, self._left, self._tokens = put, budget, most, tokens

    def allow(self, more: int) -> None:
        """Let at least `more` texts be asked: a test has texts of its own, whatever the search for a rule has used."""
        self._left = max(self._left, more)

    @property
    def is_stored(self) -> bool:
        """Whether the engine cannot be run again, so that only stored answers are known."""
        return self._put is None

    @property
    def can(self) -> bool:
        """Whether the engine can be asked anything more."""
        return self._put is not None and self._left > 0 and not self.budget.is_done

    def within(self, work: float) -> Asking:
        """The same, for so much work at most; both remember what either sees."""
        other = copy(self)
        other.budget = self.budget.part(work)
        return other

    def with_flags(self, add_special: bool, parse_special: bool) -> Asking:
        """The same with other flags, as long as it may itself ask."""
        return Asking(self._put, Encode(b"", add_special, parse_special), self.budget, self._left, self._tokens)

    def wrong(self, texts: Sequence[str]) -> list[bool | None]:
        """For each text whether the engine is wrong on it; None where that is not known."""
        new = [text for text in dict.fromkeys(texts) if text not in self.seen]
        new = [text for text in new if not self._tokens.stands_for_none(text)]
        if new and self.can and self._put is not None:
            new = new[: self._left]
            self._left -= len(new)
            self.budget.spend(sum(WORK_PER_QUESTION + len(text) for text in new))
            found = zip(new, self._put([self._case(text) for text in new]), strict=True)
            self.seen |= {text: replace(seen, tokens=self._tokens) for text, seen in found if seen is not None}
        return [None if (seen := self.seen.get(text)) is None else seen.wrong for text in texts]

    def is_of_bytes(self, character: str) -> bool:
        """Whether the right ids of a character are one id per byte, which means that the model has no piece for it."""
        self.wrong([character, character * 2])
        once, twice = self.seen.get(character), self.seen.get(character * 2)
        size = len(character.encode("utf-8", "surrogateescape"))
        # What stands around a text, or is joined to its first character, is there once.
        return size > 1 and once is not None and twice is not None and len(twice.ids) - len(once.ids) >= size

    def _case(self, text: str) -> AnyCase:
        spelled = self._tokens.unfolded(text).encode("utf-8", "surrogateescape")
        return text_case(spelled, self.add_special, self.parse_special, MADE)
