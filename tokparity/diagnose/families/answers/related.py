"""Relations between an expected and an actual answer, and which of them hold for both ids and texts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

Row = Sequence[int]


@dataclass(frozen=True)
class Relation:
    """A sentence about an answer; `holds` compares (expected, actual). Answers that it `spares` are right anyway."""

    says: str
    holds: Callable[[Row, Row], bool]
    spares: Callable[[Row], bool] = lambda right: True
    is_loose: bool = False
    """Whether many different faults make it so."""


def of_changed_text(says: str, change: Callable[[str], str]) -> Relation:
    """That the text which came is the right one after a change; what the change leaves alone is right."""

    def holds(expected: Row, actual: Row) -> bool:
        return change(text_of(expected)) == text_of(actual)

    return Relation(says, holds, lambda right: change(text_of(right)) == text_of(right))


def text_of(row: Row) -> str:
    """The text of bytes; those that are not UTF-8 are lone surrogates."""
    return bytes(row).decode("utf-8", "surrogateescape")


def is_prefix(expected: Row, actual: Row) -> bool:
    """Whether the actual row is the beginning of the expected row."""
    return 0 < len(actual) < len(expected) and expected[: len(actual)] == actual


def is_suffix(expected: Row, actual: Row) -> bool:
    """Whether the actual row is the end of the expected row."""
    return 0 < len(actual) < len(expected) and expected[-len(actual) :] == actual


def is_part(expected: Row, actual: Row) -> bool:
    """Whether the actual row is the expected row with some of its items left out."""
    left = iter(expected)
    return 0 < len(actual) < len(expected) and all(any(one == other for other in left) for one in actual)


def has_part(expected: Row, actual: Row) -> bool:
    """Whether the expected row is the actual row with some items left out."""
    return is_part(actual, expected)
