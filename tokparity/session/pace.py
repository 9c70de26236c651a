"""How quickly the engines answer: texts per second, and the batches that took longest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from tokparity.case import AnyCase
from tokparity.session.judge import Batch

LEAST = 0.1
"""Seconds that are soon lost by a machine that does something else as well."""

_CALIBRATED = 8
"""It takes so many measurements to know what is usual."""

_SUSPECTS = 6
"""Batches of one engine that are remembered, those with most seconds for a text."""


@dataclass
class Pace:
    """What is known of one engine; `suspects` are (seconds, cases) of the batches with most seconds for a text."""

    texts: int = 0
    seconds: float = 0.0
    suspects: list[tuple[float, Sequence[AnyCase]]] = field(default_factory=list)
    _per_text: list[float] = field(default_factory=list)
    _per_byte: list[float] = field(default_factory=list)

    def add(self, cases: Sequence[AnyCase], seconds: float) -> None:
        """Take note of a batch."""
        self.texts += len(cases)
        self.seconds += seconds
        slowest = sorted([*self.suspects, (seconds, cases)], key=lambda one: -one[0] / len(one[1]))
        self.suspects = slowest[:_SUSPECTS]

    def calibrate(self, cases: Sequence[AnyCase], seconds: float) -> None:
        """Take note of what a few texts take, of which most are as quick as others."""
        self._per_text.append(seconds / len(cases))
        self._per_byte.append(seconds / max(sum(case.question.size for case in cases), 1))

    def typical(self, size: int) -> float:
        """Seconds that a text of so many bytes takes, by the quickest: a slow text hides the others."""
        if len(self._per_text) < _CALIBRATED:
            return float("inf")
        return max(min(self._per_text), min(self._per_byte) * size)


class Paces:
    """The pace of each engine."""

    def __init__(self) -> None:
        self.of: dict[str, Pace] = {}

    def add(self, batch: Batch) -> None:
        """Take note of what each engine took over a batch."""
        for engine, results in batch.results.items():
            if results.seconds and batch.cases and not results.failures:
                self.of.setdefault(engine, Pace()).add(batch.cases, results.seconds)
