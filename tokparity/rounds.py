"""Ids that go through their text and come back, or do not: what an engine is asked in turn, and what came of it.

Each step is a plain question, to encode a text or to decode ids. So whatever encodes and decodes can be asked, and what
an engine does otherwise than the oracle is a wrong answer to one of these.
"""

from __future__ import annotations

from collections.abc import Collection, Generator, Sequence
from dataclasses import dataclass

from tokparity.outcome import DEADLY, NOT_ASKED, Decoding, Encoding, Failure, Outcome
from tokparity.questions import Again, Decode, Encode
from tokparity.questions.json_text import literal

_MOST = 3
"""Rows of ids of one question: those of the text, those after one round, and those after the second."""


@dataclass(frozen=True, slots=True)
class Link:
    """A question that was put on the way, and the answer."""

    question: Encode | Decode
    outcome: Outcome

    @property
    def told(self) -> str:
        """What was asked, and what came of it, as JSON."""
        if isinstance(self.outcome, Failure):
            return f"{self.question.literal} -> {self.outcome.kind}"
        if isinstance(self.outcome, Encoding):
            return f"{self.question.literal} -> {list(self.outcome.ids)}"
        return f"{self.question.literal} -> {literal(self.outcome.decoded)}"


@dataclass(frozen=True, slots=True)
class Rounds:
    """All that was put for one question, in order; after a failure there is nothing."""

    links: tuple[Link, ...] = ()

    @property
    def failure(self) -> Failure | None:
        """Why it ended early; None where it did not."""
        last = self.links[-1].outcome if self.links else None
        return last if isinstance(last, Failure) else None

    @property
    def is_of_row(self) -> bool:
        """Whether it began with ids that nobody encoded."""
        return bool(self.links) and isinstance(self.links[0].question, Decode)

    @property
    def rows(self) -> list[tuple[int, ...]]:
        """The ids that were given or asked about, those after one round, and those after the second."""
        asked = [self.links[0].question.ids] if self.links and isinstance(self.links[0].question, Decode) else []
        return asked + [link.outcome.ids for link in self.links if isinstance(link.outcome, Encoding)]

    @property
    def texts(self) -> list[bytes]:
        """What ids were decoded to."""
        return [link.outcome.decoded for link in self.links if isinstance(link.outcome, Decoding)]

    @property
    def came_back(self) -> bool:
        """Whether the ids are the same after one round."""
        return len(rows := self.rows) > 1 and rows[0] == rows[1]

    @property
    def is_stable(self) -> bool:
        """Whether a further round changes nothing any more."""
        return self.came_back or (len(rows := self.rows) == _MOST and rows[1] == rows[2])

    def parts_from(self, right: Rounds, known: Collection[int]) -> int | None:
        """The place of the first link that is wrong, held against those of the oracle; None where none is.

        What an engine does with ids that are not `known` to the model says nothing, unless it dies of them. In the
        second round only a row counts that is stable for the oracle and not for the engine.
        """
        for place, link in enumerate(self.links):
            failed = link.outcome if isinstance(link.outcome, Failure) else None
            if failed is not None and failed.kind in (*DEADLY, *NOT_ASKED):
                return place if failed.kind in DEADLY else None
            other = right.links[place] if place < len(right.links) else None
            if other is None or other.question != link.question or isinstance(other.outcome, Failure):
                return None
            if isinstance(link.question, Decode) and not known_ids(link.question.ids, known):
                return None
            if other.outcome != link.outcome:
                second = sum(isinstance(one.question, Encode) for one in self.links[:place]) == self._in_one_round
                return None if second and not failed and (self.is_stable or not right.is_stable) else place
        return None

    @property
    def _in_one_round(self) -> int:
        """How often text is encoded until ids are there that went through their text."""
        return 1 if self.is_of_row else 2


def known_ids(ids: Sequence[int], known: Collection[int]) -> bool:
    """Whether all ids are known."""
    return all(i in known for i in ids)


Asking = Generator[list[Encode | Decode], Sequence[Outcome], list[Rounds]]
"""Gives the plain questions of a step, and wants their answers; at the end it gives what came of all."""


def rounds(questions: Sequence[Again]) -> Asking:
    """What is asked for questions that are alike; each ends where its ids have come back, or after two rounds."""
    links: list[list[Link]] = [[] for _ in questions]
    left: dict[int, Encode | Decode] = {i: question.first for i, question in enumerate(questions)}
    while left:
        outcomes = yield list(left.values())
        for i, outcome in zip(left, outcomes, strict=True):
            links[i].append(Link(left[i], outcome))
        further = ((i, _next(questions[i], Rounds(tuple(links[i])))) for i in left)
        left = {i: question for i, question in further if question is not None}
    return [Rounds(tuple(one)) for one in links]


def _next(question: Again, so_far: Rounds) -> Encode | Decode | None:
    last, rows = so_far.links[-1].outcome, so_far.rows
    if isinstance(last, Decoding):
        return question.encode(last.decoded)
    if isinstance(last, Failure) or so_far.is_stable or len(rows) == _MOST:
        return None
    return question.decode(rows[-1])
