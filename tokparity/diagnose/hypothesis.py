"""Hypotheses: a change at a site under a condition, which predicts what an engine answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from tokparity.diagnose.base import Base
from tokparity.diagnose.seen import Seen
from tokparity.outcome import Encoding
from tokparity.questions import Encode, Question
from tokparity.reference.imitate import imitate
from tokparity.reference.tokenizer import Tokenizer

Ids = Callable[[Encode], Sequence[int] | None]
"""The ids of a question; None where nothing is said of it."""


class Hypothesis(Protocol):
    """What may be otherwise with an engine."""

    @property
    def sentence(self) -> str:
        """What it says, for a person: a clause about the answers."""

    @property
    def probes(self) -> Sequence[str]:
        """Texts that could refute it, most of which show it."""

    def predict(self, question: Question) -> Sequence[int] | None:
        """The ids that the engine gives; None where nothing is said of the question."""


@dataclass(frozen=True)
class Variant:
    """That the ids are those of a variant of the model; `says` follows "the ids are those of"."""

    says: str
    ids: Ids
    probes: Sequence[str]
    model: Base | None = None
    """The variant itself, where it is a model that may differ further."""

    @property
    def sentence(self) -> str:
        """A clause on the answers."""
        return f"the ids are those of {self.says}"

    def predict(self, question: Question) -> Sequence[int] | None:
        """The ids that the variant gives to a text."""
        return self.ids(question) if isinstance(question, Encode) else None

    def with_also(self, other: Variant) -> Variant:
        """A variant of this one, which differs from the model in both ways."""
        also = other.says.removeprefix("the model ")
        return replace(other, says=f"{self.says}, and {also}", probes=[*self.probes, *other.probes])


def changes(one: Hypothesis, seen: Seen) -> bool:
    """Whether other ids than the right ones are predicted."""
    found = one.predict(seen.question)
    return found is not None and tuple(found) != seen.ids


def foretells(one: Hypothesis, seen: Seen) -> bool:
    """Whether the engine gave the ids that were predicted."""
    if not isinstance(seen.question, Encode) or not isinstance(seen.actual, Encoding):
        return False
    found = one.predict(seen.question)
    return found is not None and tuple(found) == seen.actual.ids


def has_other_ids(seen: Seen) -> bool:
    """Whether ids came, and other ones than were expected."""
    return isinstance(seen.actual, Encoding) and isinstance(seen.question, Encode) and seen.actual.ids != seen.ids


def ids_by(tokenizer: Tokenizer, question: Encode) -> Sequence[int] | None:
    """The ids that a tokenizer gives; None where it gives none."""
    found = imitate(tokenizer, question)
    return found.ids if isinstance(found, Encoding) else None
