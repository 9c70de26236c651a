"""Runs of one class of characters, ten times as long from one to the next: what they do to time, stack and memory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tokparity.case import AnyCase, Origin, text_case

LENGTHS = (1_000, 10_000, 26_000, 131_072, 1_000_000)
"""Characters; at 26,000 and 131,072 engines were seen to die."""

_LONGEST_SECONDS = 3.0
"""Where an engine took so long, or failed, the unit is not made any longer."""

_UNITS = {
    "letters": "a", "upper-case letters": "A", "digits": "1", "spaces": " ", "line ends": "\n", "tabs": "\t",
    "punctuation": "!", "apostrophes": "'", "ideographs": "世", "accents": "\u0301", "emoji": "\U0001f600",
    "words": "word ", "changing letters": "abcdefghijklmnopqrstuvwxyz", "letters and digits": "a1",
}  # fmt: skip


@dataclass(frozen=True)
class Timed:
    """A text of so many characters, and what an engine took over it."""

    length: int
    seconds: float
    case: AnyCase


class Stress:
    """Texts one by one; `times` are (unit, engine) -> what each length took, in order."""

    def __init__(self) -> None:
        self.times: dict[tuple[str, str], list[Timed]] = {}
        self._ended: set[str] = set()

    @property
    def count(self) -> int | None:
        """At most so many."""
        return len(_UNITS) * len(LENGTHS)

    def batches(self) -> Iterator[Sequence[AnyCase]]:
        """Length after length, each text a batch of its own."""
        for number, length in enumerate(LENGTHS):
            for place, (name, unit) in enumerate(_UNITS.items()):
                if name not in self._ended:
                    origin = Origin("generator", "stress", place, number)
                    yield [text_case((unit * (length // len(unit))).encode(), add_special=False, origin=origin)]

    def learn(self, batch: Any, sightings: Sequence[Any]) -> None:
        """Take note of what each engine took; what took too long or failed goes no further."""
        case = batch.cases[0]
        name, length = list(_UNITS)[case.origin.number], LENGTHS[case.origin.seed]
        for engine, results in batch.results.items():
            if results.failures or results.seconds > _LONGEST_SECONDS:
                self._ended.add(name)
            if not results.failures:
                self.times.setdefault((name, engine), []).append(Timed(length, results.seconds, case))

    def notes(self) -> Mapping[str, str]:
        """Nothing is told."""
        return {}
