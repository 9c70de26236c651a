"""What engines make of ids that go through their text: which step is wrong, how many come back, and the smallest that
do not.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokparity.case import AnyCase, Case
from tokparity.finding import Control
from tokparity.outcome import Answer, Failure, Outcome
from tokparity.questions import Again
from tokparity.report.tally import Tally
from tokparity.rounds import Link, Rounds
from tokparity.session.again_cause import cause
from tokparity.session.batch import Batch, Sighting

if TYPE_CHECKING:
    from tokparity.engines.results import Results

ATTEMPTS = 400
"""Texts that are put to find a smaller one that does not come back."""


def wrong(batch: Batch, engine: str, oracles: Iterable[str], known: Collection[int]) -> Iterator[Sighting]:
    """The cases at which an engine is wrong on the way, by who gave an answer first; of no kind yet."""
    judges = list(oracles)
    for place, given in enumerate(_rounds(batch, engine)):
        by = next((one for one in judges if _right(batch, one, place).links), judges[-1])
        if given.parts_from(_right(batch, by, place), known) is not None:
            yield Sighting(place, engine, by, "")


def wrong_link(
    batch: Batch, engine: str, oracle: str, place: int, known: Collection[int]
) -> tuple[AnyCase, Answer | None, Outcome]:
    """The plain question at which an engine parts from the oracle, the oracle's answer and the engine's."""
    given, right = _rounds(batch, engine)[place], _right(batch, oracle, place)
    at = given.parts_from(right, known)
    if at is None:
        raise ValueError(f"{oracle} and {engine} do not differ on case {place}")
    link = given.links[at]
    expected = right.links[at].outcome if at < len(right.links) and right.links[at].question == link.question else None
    answer = None if isinstance(expected, Failure) else expected
    return Case(link.question, batch.cases[place].origin), answer, link.outcome


def counted(results: Results) -> Tally:
    """How many texts and rows went through all steps, came back, and are stable."""
    whole = [one for one in results.rounds or () if one.failure is None]
    texts, rows = (
        (len(some), sum(one.came_back for one in some), sum(one.is_stable for one in some))
        for some in ([one for one in whole if one.is_of_row is choice] for choice in (False, True))
    )
    return Tally(
        again=texts[0], again_same=texts[1], again_stable=texts[2],
        again_rows=rows[0], again_rows_same=rows[1], again_rows_stable=rows[2],
    )  # fmt: skip


def controls(batch: Batch, engine: str, place: int, model: str) -> Iterator[Control]:
    """The questions on the way of a case on which an engine is right."""
    for link in _rounds(batch, engine)[place].links:
        if not isinstance(link.outcome, Failure):
            yield Control(Case(link.question, batch.cases[place].origin), model, engine, link.outcome)


@dataclass(frozen=True)
class Lost:
    """A text whose ids do not come back, and what became of it."""

    question: Again
    rounds: Rounds

    @classmethod
    def smallest(cls, cases: Sequence[AnyCase], results: Results, best: Lost | None = None) -> Lost | None:
        """The smallest text of a batch, or the best before it."""
        for case, found in zip(cases, results.rounds or (), strict=False):
            question = case.question
            if not isinstance(question, Again) or question.text is None or found.failure or found.came_back:
                continue
            if best is None or question.order < best.question.order:
                best = cls(question, found)
        return best

    def smaller(self, ask: Callable[[Sequence[Again]], Results | None], stop: Callable[[], bool]) -> Lost:
        """The smallest that was found by asking the engine for smaller ones, until it is time to stop."""
        lost = {self.question: self}

        def check(questions: Sequence[Again]) -> list[bool]:
            results = None if stop() else ask(questions)
            for question, found in zip(questions, (results and results.rounds) or (), strict=False):
                if found.failure is None and not found.came_back:
                    lost[question] = Lost(question, found)
            return [question in lost for question in questions]

        return lost[self.question.shrunk(check, ATTEMPTS)]

    def told(self, pieces: Sequence[bytes]) -> dict[str, object]:
        """What a pair says of it; `pieces` are the model's, by id."""
        return {"again_smallest": self.question, "again_cause": cause(self.question, self.rounds, pieces)}


def _rounds(batch: Batch, engine: str) -> Sequence[Rounds]:
    results = batch.results.get(engine)
    return (results.rounds if results is not None else None) or [Rounds()] * len(batch.cases)


def _right(batch: Batch, oracle: str, place: int) -> Rounds:
    """What the oracle gave; nothing where it could not be asked at all."""
    found = _rounds(batch, oracle)[place]
    return Rounds() if isinstance(_first(found), Failure) else found


def _first(found: Rounds) -> Outcome | None:
    links: Sequence[Link] = found.links
    return links[0].outcome if links else None
