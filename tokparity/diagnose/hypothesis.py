"""A hypothesis: a change at one place of the tokenizer under a condition, which predicts every answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from tokparity.diagnose.base import Base
from tokparity.diagnose.evidence import Observation, same
from tokparity.outcome import Encoding, Outcome
from tokparity.questions import Encode
from tokparity.reference.imitate import imitate
from tokparity.reference.tokenizer import Tokenizer

Ids = Callable[[Encode], Sequence[int] | None]
"""The ids of a question; None where nothing is said of it."""


OF = "the ids are those of"
OF_THE_MODEL = f"{OF} the model "


class Differs:
    """A prediction that only says that the answer is wrong, and not what it is."""


DIFFERS = Differs()

Prediction = Outcome | Differs | None
"""The very answer; that it is a wrong one; or None where nothing is said of a question."""


class Hypothesis(Protocol):
    """A change that may explain an engine."""

    @property
    def sentence(self) -> str:
        """What it says, for a person: a clause about the answers."""

    @property
    def probes(self) -> Sequence[str]:
        """Texts that could refute it, most of which show it."""

    @property
    def model(self) -> Base | None:
        """What it says that the model is, where that may differ further."""

    def predict(self, seen: Observation) -> Prediction:
        """What the engine answers to this question, whose right answer is known."""


@dataclass(frozen=True)
class Variant:
    """That the ids are those of a variant of the model, or of other texts."""

    sentence: str
    ids: Ids
    probes: Sequence[str]
    model: Base | None = None
    """The variant itself, where it is a model that may differ further."""
    is_learned: bool = True
    """Whether a number, a table or a string of it was read from the answers that it is held against."""
    quirks: tuple[str, ...] = ()
    """The quirks of the catalog of which each alone is this variant, as it is."""

    def predict(self, seen: Observation) -> Prediction:
        """The ids that the variant gives to a text."""
        ids = self.ids(seen.question) if isinstance(seen.question, Encode) else None
        return None if ids is None else Encoding(tuple(ids))


def of_both(one: Hypothesis, other: Variant) -> Variant:
    """A hypothesis about the model that another one has: it differs from the right one in both ways."""
    return replace(other, sentence=both(one.sentence, other.sentence), probes=[*one.probes, *other.probes])


def both(one: str, other: str) -> str:
    """Two sentences as one; the first may be empty."""
    return f"{one}, and {other.removeprefix(OF_THE_MODEL).removeprefix(OF).lstrip()}" if one else other


def changes(one: Hypothesis, seen: Observation) -> bool:
    """Whether another answer than the right one is predicted."""
    found = one.predict(seen)
    return found is not None and (isinstance(found, Differs) or not same(found, seen.expected))


def foretells(one: Hypothesis, seen: Observation) -> bool:
    """Whether the engine answered as was predicted."""
    found = one.predict(seen)
    return found is not None and _agrees(found, seen)


def refuted_by(one: Hypothesis, seen: Observation) -> bool:
    """Whether the engine answered otherwise than was predicted."""
    found = one.predict(seen)
    return found is not None and not _agrees(found, seen)


def _agrees(found: Outcome | Differs, seen: Observation) -> bool:
    return seen.wrong if isinstance(found, Differs) else same(found, seen.actual)


def has_other_ids(seen: Observation) -> bool:
    """Whether ids came, and other ones than were expected."""
    return isinstance(seen.actual, Encoding) and isinstance(seen.question, Encode) and seen.actual.ids != seen.ids


def ids_by(tokenizer: Tokenizer, question: Encode) -> Sequence[int] | None:
    """The ids that a tokenizer returns; None if it returns none."""
    found = imitate(tokenizer, question)
    return found.ids if isinstance(found, Encoding) else None
