"""The question of where in a text each id comes from (its offsets)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from tokparity.questions.encode import Encode


@dataclass(frozen=True, slots=True)
class Spans(Encode):
    """A text to be encoded, with the first and the last character of each id."""

    KIND: ClassVar = "spans"

    @property
    def order(self) -> tuple[Any, ...]:
        """Behind texts, rows of ids and streams, the shortest first."""
        return 3, len(self.text), self.text, self.add_special, self.parse_special

    @property
    def remarks(self) -> Iterator[str]:
        """In words, what is asked beside the text."""
        yield "characters of each id"
        yield from Encode.remarks.fget(self)  # type: ignore[attr-defined]

    def command(self, model: str, engine: str) -> str:
        """A command for a POSIX shell that asks an engine for the characters of each id of this text."""
        return Encode.command(self, model, engine).replace("tokparity diff ", "tokparity diff --spans ", 1)
