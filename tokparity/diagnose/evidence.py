"""Evidence: what is known of a deviant engine in one aspect. It is never changed; more of it is new evidence."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Literal

from tokparity.case import AnyCase
from tokparity.finding import Control, Mismatch
from tokparity.outcome import Decoding, Encoding, Failure, Outcome
from tokparity.questions import Decode

Answer = tuple[int, ...] | bytes
"""The ids of a text, or the bytes that ids were decoded to, or whether the engine lives or dies."""

Aspect = Literal["ids", "decode", "failure"]
"""What is compared: the ids of texts, what ids decode to, or of which questions the engine dies."""

LIVES, DIES = (0,), (1,)
"""The answers where the aspect is failure."""

Ask = Callable[[Sequence[AnyCase]], Sequence[Outcome]]
"""Puts more cases to the deviant engine."""


@dataclass(frozen=True)
class Observation:
    """One thing the engine did: the answer that was `expected` of it, and its `actual` one.

    `ids` is what was decoded; where the engine died, what it would have decoded had it been right. `index` is the place
    among the mismatches; a control and a text that the diagnosis asked for have none. `beside` is how the engine
    decoded wrong ids: no run judges it, so it is explained where that can be, and rules out nothing where it cannot.
    """

    case: AnyCase
    expected: Answer
    actual: Answer
    ids: tuple[int, ...] = ()
    kind: str = ""
    index: int | None = None
    beside: bool = False
    asked: bool = False

    @property
    def is_control(self) -> bool:
        """Whether the engine was right."""
        return self.expected == self.actual


@dataclass(frozen=True)
class Evidence:
    """What was `given` of the engine (mismatches first, then controls), and what the diagnosis `asked` it since."""

    given: tuple[Observation, ...]
    asked: tuple[Observation, ...] = ()

    @property
    def observations(self) -> tuple[Observation, ...]:
        """All observations, in the order in which they were made."""
        return (*self.given, *self.asked)

    @property
    def members(self) -> list[Observation]:
        """The mismatches that are to be explained."""
        return [observation for observation in self.given if observation.index is not None]

    def plus(self, asked: Iterable[Observation]) -> Evidence:
        """This evidence and more answers of the engine."""
        return replace(self, asked=(*self.asked, *asked))

    def shortest(self, most_bytes: int) -> list[Observation]:
        """The observations with the shortest texts, as far as these have at most so many bytes together."""
        taken = []
        for observation in sorted(self.observations, key=size):
            most_bytes -= observation.case.question.size
            if most_bytes < 0:
                break
            taken.append(observation)
        return taken


def evidence_of(aspect: Aspect, mismatches: Sequence[Mismatch], controls: Sequence[Control]) -> Evidence:
    """What mismatches and controls say about one aspect."""
    wrong = [_of_mismatch(aspect, index, mismatch) for index, mismatch in enumerate(mismatches)]
    right = [_of_control(aspect, control) for control in controls]
    return Evidence(tuple(found for found in chain(wrong, right) if found is not None))


def _of_mismatch(aspect: Aspect, index: int, mismatch: Mismatch) -> Observation | None:
    expected, actual = mismatch.expected, mismatch.actual
    if aspect == "failure":
        if isinstance(actual, Failure):
            return Observation(mismatch.case, LIVES, DIES, _row(mismatch.case, expected), mismatch.kind, index)
        return Observation(mismatch.case, LIVES, LIVES, _row(mismatch.case, actual))
    if aspect == "decode" and isinstance(expected, Decoding) and isinstance(actual, Decoding):
        return Observation(
            mismatch.case, expected.decoded, actual.decoded, _row(mismatch.case, actual), mismatch.kind, index
        )
    if not isinstance(expected, Encoding) or not isinstance(actual, Encoding):
        return None
    if aspect == "ids" and expected.ids == actual.ids:
        return Observation(mismatch.case, expected.ids, actual.ids)
    if aspect == "decode" and expected.ids != actual.ids:
        return None
    found = Observation(mismatch.case, expected.ids, actual.ids, kind=mismatch.kind, index=index)
    if aspect == "ids":
        return found
    if expected.decoded is None or actual.decoded is None:
        return None
    return replace(found, expected=expected.decoded, actual=actual.decoded, ids=actual.ids)


def _of_control(aspect: Aspect, control: Control) -> Observation | None:
    outcome = control.outcome
    if aspect == "failure":
        return Observation(control.case, LIVES, LIVES, _row(control.case, outcome))
    if aspect == "ids":
        return Observation(control.case, outcome.ids, outcome.ids) if isinstance(outcome, Encoding) else None
    if outcome.decoded is None:
        return None
    return Observation(control.case, outcome.decoded, outcome.decoded, _row(control.case, outcome))


def _row(case: AnyCase, outcome: Outcome) -> tuple[int, ...]:
    """The ids that are decoded: those of the question, or those that were given for its text."""
    if isinstance(case.question, Decode):
        return case.question.ids
    return outcome.ids if isinstance(outcome, Encoding) else ()


def size(observation: Observation) -> tuple[int, bytes]:
    """Orders observations by the length of their text."""
    return observation.case.question.size, observation.case.question.shown


def indices(observations: Iterable[Observation]) -> tuple[int, ...]:
    """The places of the mismatches among these."""
    return tuple(sorted(o.index for o in observations if o.index is not None))
