"""The nouns of a vectors file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from tokparity.outcome import Decoding, Encoding, Failure, Outcome
from tokparity.questions import Question

Answer = tuple[int, ...] | bytes | None
"""Ids, decoded text, or None where the engine refuses the question, raises an error or dies."""


@dataclass(frozen=True, slots=True)
class Hashed:
    """The 32-bit FNV-1a hash of a long answer, which is not stored itself (see `spelling.hashed`)."""

    fnv1a: str


@dataclass(frozen=True, slots=True)
class Wrong:
    """The answer of an engine with any one of these faults."""

    faults: tuple[str, ...]
    answer: Answer | Hashed


@dataclass(frozen=True, slots=True)
class Acceptable:
    """Another answer that sound implementations return, and why."""

    answer: Answer
    why: str
    faults: tuple[str, ...] = ()


Level = Literal["must", "may"]


@dataclass(frozen=True, slots=True)
class Vector:
    """One question with its right answer, a comment for a reader, and what each fault makes of it.

    `pieces` are those of the right ids, or of the ids that are to be decoded; empty where these are many.
    """

    id: str
    question: Question
    answer: Answer | Hashed
    pieces: tuple[bytes, ...]
    comment: str
    tags: tuple[str, ...]
    acceptable: tuple[Acceptable, ...] = ()
    wrong: tuple[Wrong, ...] = ()

    @property
    def level(self) -> Level:
        """`may` if the vector accepts another answer too, else `must`."""
        return "may" if self.acceptable else "must"


@dataclass(frozen=True, slots=True)
class Fault:
    """A known fault: what an engine that has it does, and the other faults whose answers are the same on this model."""

    does: str
    alike: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Untold:
    """Faults that no case shows, and how that was tested."""

    why: str
    faults: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Vectors:
    """The contents of a vectors file.

    `sources` are the SHA-256 of the model's files by name, `oracle` the name and version of the engine that answered.
    """

    model: str
    sources: Mapping[str, str]
    oracle: str
    tokparity: str
    faults: Mapping[str, Fault]
    untold: Sequence[Untold]
    cases: Sequence[Vector]


def answer_of(outcome: Outcome) -> Answer:
    """What a vectors file says of an outcome."""
    if isinstance(outcome, Failure):
        return None
    return outcome.ids if isinstance(outcome, Encoding) else outcome.decoded


def outcome_of(answer: Answer) -> Outcome:
    """An answer of a vectors file as an outcome."""
    if answer is None:
        return Failure("error", "no answer")
    return Decoding(answer) if isinstance(answer, bytes) else Encoding(answer)
