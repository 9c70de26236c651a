"""Hypotheses: a change at a site under a condition, which predicts what an engine answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from tokparity.diagnose.base import Base
from tokparity.diagnose.evidence import Observation
from tokparity.outcome import Encoding
from tokparity.questions import Encode, Question
from tokparity.reference.imitate import imitate
from tokparity.reference.tokenizer import Tokenizer

Ids = Callable[[Encode], Sequence[int] | None]
"""The ids of a question; None where nothing is said of it."""


OF = "the ids are those of"
OF_THE_MODEL = f"{OF} the model "


class Hypothesis(Protocol):
    """What may be otherwise with an engine."""

    @property
    def sentence(self) -> str:
        """What it says, for a person: a clause about the answers."""

    @property
    def probes(self) -> Sequence[str]:
        """Texts that could refute it, most of which show it."""

    @property
    def model(self) -> Base | None:
        """What it says that the model is, where that may differ further."""

    def predict(self, question: Question, right: Sequence[int]) -> Sequence[int] | None:
        """The ids that the engine gives where these are right; None where nothing is said of the question."""


@dataclass(frozen=True)
class Variant:
    """That the ids are those of a variant of the model, or of other texts."""

    sentence: str
    ids: Ids
    probes: Sequence[str]
    model: Base | None = None
    """The variant itself, where it is a model that may differ further."""

    def predict(self, question: Question, right: Sequence[int]) -> Sequence[int] | None:
        """The ids that the variant gives to a text."""
        return self.ids(question) if isinstance(question, Encode) else None


def of_both(one: Hypothesis, other: Variant) -> Variant:
    """A hypothesis about the model that another one has: it differs from the right one in both ways."""
    also = other.sentence.removeprefix(OF_THE_MODEL)
    return replace(other, sentence=f"{one.sentence}, and {also}", probes=[*one.probes, *other.probes])


def changes(one: Hypothesis, seen: Observation) -> bool:
    """Whether other ids than the right ones are predicted."""
    found = one.predict(seen.question, seen.ids)
    return found is not None and tuple(found) != seen.ids


def foretells(one: Hypothesis, seen: Observation) -> bool:
    """Whether the engine gave the ids that were predicted."""
    if not isinstance(seen.question, Encode) or not isinstance(seen.actual, Encoding):
        return False
    found = one.predict(seen.question, seen.ids)
    return found is not None and tuple(found) == seen.actual.ids


def refuted_by(one: Hypothesis, seen: Observation) -> bool:
    """Whether the engine gave other ids than those that were predicted."""
    if not isinstance(seen.question, Encode) or not isinstance(seen.actual, Encoding):
        return True
    found = one.predict(seen.question, seen.ids)
    return found is not None and tuple(found) != seen.actual.ids


def has_other_ids(seen: Observation) -> bool:
    """Whether ids came, and other ones than were expected."""
    return isinstance(seen.actual, Encoding) and isinstance(seen.question, Encode) and seen.actual.ids != seen.ids


def ids_by(tokenizer: Tokenizer, question: Encode) -> Sequence[int] | None:
    """The ids that a tokenizer gives; None where it gives none."""
    found = imitate(tokenizer, question)
    return found.ids if isinstance(found, Encoding) else None
