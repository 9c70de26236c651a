"""Texts that an engine can only be asked with special tokens recognized: they are asked so of all engines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from tokparity.case import AnyCase, Case
from tokparity.questions import Encode, Question
from tokparity.sources.batches import batches
from tokparity.sources.source import CaseSource


@dataclass
class ParsedAgain:
    """What the sources before it could not ask of every engine, once more with parse_special.

    It comes after them, and learns from each by `after`.
    """

    count: int | None = 0
    """It is known only when all others were put."""
    is_whole: bool = False
    _again: dict[Question, AnyCase] = field(default_factory=dict)
    _asked: set[Question] = field(default_factory=set)

    def after(self, source: CaseSource) -> CaseSource:
        """The source, of which this takes note of what could not be asked."""
        return _Noted(source, self)

    def note(self, batch: Any) -> None:
        """Take note of a batch with the results of all engines (`Batch`)."""
        self._asked.update(case.question for case in batch.cases if _parses(case.question))
        refused = {
            place
            for results in batch.results.values()
            for place, failure in results.failures
            if failure.kind == "unsupported"
        }
        for place in sorted(refused):
            case = batch.cases[place]
            if isinstance(case.question, Encode) and not case.question.parse_special:
                question = replace(case.question, parse_special=True)
                self._again[question] = Case(question, case.origin)

    def batches(self) -> Iterator[Sequence[AnyCase]]:
        """The cases that nobody has asked yet."""
        return batches(case for question, case in self._again.items() if question not in self._asked)

    def learn(self, batch: Any, sightings: Sequence[Any]) -> None:
        """Nothing is learned."""

    def notes(self) -> Mapping[str, str]:
        """Nothing is told."""
        return {}


def _parses(question: Question) -> bool:
    return isinstance(question, Encode) and question.parse_special


@dataclass(frozen=True)
class _Noted:
    """A source of whose batches somebody else takes note."""

    source: CaseSource
    noted: ParsedAgain

    @property
    def count(self) -> int | None:
        """As many as the source has."""
        return self.source.count

    @property
    def is_whole(self) -> bool:
        """As the source is."""
        return self.source.is_whole

    def batches(self) -> Iterator[Sequence[AnyCase]]:
        """Those of the source."""
        return self.source.batches()

    def learn(self, batch: Any, sightings: Sequence[Any]) -> None:
        """Both learn."""
        self.noted.note(batch)
        self.source.learn(batch, sightings)

    def notes(self) -> Mapping[str, str]:
        """What the source tells."""
        return self.source.notes()
