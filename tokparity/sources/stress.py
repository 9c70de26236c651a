"""Texts of one character, or of a few in turn, up to a million: what an engine's time, stack and memory bear."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from tokparity.case import AnyCase, Origin, text_case

LENGTHS = (1_000, 4_000, 16_000, 30_000, 65_536, 131_072, 300_000, 1_000_000)
"""In characters."""

_PREFIX = "stress, "

_LETTERS = "".join(random.Random(0).choices("abcdefghijklmnopqrstuvwxyz", k=997))
"""No word, and no period that a memo could profit from."""

UNITS: Mapping[str, str] = {
    "a small letter": "a", "capital letters": "AZ", "letters": _LETTERS, "a digit": "1", "digits": "0123456789",
    "a space": " ", "words": "a ", "a newline": "\n", "carriage return and newline": "\r\n", "tabs": "\t",
    "punctuation": "!", "apostrophes": "'s", "an accented letter": "é", "a combining mark": "\u0301",
    "a Chinese character": "世", "Cyrillic letters": "ий", "an emoji": "😀", "joined emoji": "👩\u200d",
}  # fmt: skip
"""What is repeated, by how it is called."""


@dataclass
class Stress:
    """Runs of every kind at growing lengths; of a kind that an engine failed on no longer ones are put."""

    is_whole: ClassVar[bool] = False
    _failed: set[str] = field(default_factory=set)

    @property
    def count(self) -> int:
        """How many cases they are, if nothing fails."""
        return len(UNITS) * len(LENGTHS)

    def batches(self) -> Iterator[Sequence[AnyCase]]:
        """Each text by itself, so that its time is its own."""
        for length in LENGTHS:
            for name, unit in UNITS.items():
                if name not in self._failed:
                    text = (unit * (length // len(unit) + 1))[:length].encode()
                    yield [text_case(text, origin=Origin("given", f"{_PREFIX}{name}"))]

    def learn(self, batch: Any, sightings: Sequence[Any]) -> None:
        """Where an engine died, hung or was slow, longer texts of the kind cost much and tell nothing new."""
        if any(seen.kind.startswith("failure") for seen in sightings):
            self._failed.update(case.origin.name.removeprefix(_PREFIX) for case in batch.cases)

    def notes(self) -> Mapping[str, str]:
        """Nothing is told."""
        return {}
