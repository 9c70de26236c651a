"""The probe set of a search, put first and whole; a search that goes on puts what the one before did not reach."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, ClassVar

from tokparity import questions
from tokparity.case import AnyCase
from tokparity.questions import Question
from tokparity.sources.batches import batches


class Needed:
    """Cases that a verdict rests on; `put` names those that were put, by this search or by the one before."""

    is_whole: ClassVar[bool] = True

    def __init__(self, cases: Sequence[AnyCase], put: Collection[str] = ()) -> None:
        self.put = tuple(put)
        known = frozenset(put)
        self._cases = [case for case in cases if _name(case.question) not in known]

    @property
    def count(self) -> int:
        """How many are still to be put."""
        return len(self._cases)

    def batches(self) -> Iterator[Sequence[AnyCase]]:
        """The cases, cut into batches."""
        return batches(self._cases)

    def learn(self, batch: Any, sightings: Sequence[Any]) -> None:
        """Note which cases were run."""
        self.put += tuple(_name(case.question) for case in batch.cases)

    def notes(self) -> Mapping[str, str]:
        """Nothing is told."""
        return {}


def _name(question: Question) -> str:
    """A name of a question that is the same in every process."""
    return hashlib.sha256(json.dumps(questions.to_json(question)).encode()).hexdigest()[:16]
