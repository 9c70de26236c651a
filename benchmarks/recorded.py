"""Texts with the reference's answers, made once and put to every fault of a model.

Until the first mismatch a search is the same whatever the fault is, so what it costs to make the texts and to ask the
reference is measured once and counted to each fault as if it had been done for that fault alone. All seconds are
processor time of this one process, so that other work on the machine plays no part.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from tokparity.case import AnyCase
from tokparity.finding import Mismatch
from tokparity.reference.tokenizer import Tokenizer
from tokparity.session.in_process import answers
from tokparity.session.judge import REFERENCE, Batch, Judge


@dataclass(frozen=True)
class Find:
    """How a fault was found: after how many cases and seconds, on which text."""

    cases: int
    seconds: float
    mismatch: Mismatch


@dataclass(frozen=True)
class Tried:
    """A search that found nothing: how many cases in how many seconds."""

    cases: int
    seconds: float


class Recorded:
    """Batches of reference answers, kept as they come. `seconds` is what it took before the first one was begun."""

    def __init__(self, batches: Iterable[Batch], seconds: float = 0.0) -> None:
        self._source = iter(batches)
        self._first = seconds
        self._made: list[tuple[Batch, float]] = []

    def __iter__(self) -> Iterator[tuple[Batch, float]]:
        """Each batch with the seconds that it took to make."""
        number = 0
        while True:
            if number == len(self._made):
                started = time.process_time()
                batch = next(self._source, None)
                if batch is None:
                    return
                self._made.append((batch, time.process_time() - started + self._first))
                self._first = 0.0
            yield self._made[number]
            number += 1

    def find(
        self, fault: Tokenizer, judge: Judge, engine: str, seconds: float, least: int = 0, most: int | None = None
    ) -> Find | Tried:
        """Put the texts to a fault until it shows, or until time is up and it was at least so many cases."""
        cases, spent = 0, 0.0
        for batch, made in self:
            started = time.process_time()
            both = Batch(batch.cases, {**batch.results, engine: answers(fault, batch.cases)})
            found = list(judge.mismatches(both, [engine]))
            spent += made + time.process_time() - started
            if found:
                smallest = min(found, key=lambda mismatch: mismatch.case.question.order)
                return Find(cases + _place(batch.cases, found[0].case) + 1, spent, smallest)
            cases += len(batch.cases)
            if (spent > seconds and cases >= least) or (most is not None and cases >= most):
                break
        return Tried(cases, spent)


def answered(tokenizer: Tokenizer, batches: Iterable[Sequence[AnyCase]]) -> Iterator[Batch]:
    """Batches of cases with what the reference gives."""
    for cases in batches:
        if cases:
            yield Batch(cases, {REFERENCE: answers(tokenizer, cases)})


def _place(cases: Sequence[AnyCase], case: AnyCase) -> int:
    return next(index for index, other in enumerate(cases) if other is case)
