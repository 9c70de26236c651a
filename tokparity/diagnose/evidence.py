"""What is known of a deviant engine: what it gave, what the oracle gave, and what each text was."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, zip_longest
from typing import Literal

from tokparity.behaviour import Behaviour
from tokparity.case import AnyCase
from tokparity.diagnose.pieces import Pieces
from tokparity.finding import Control, Mismatch
from tokparity.outcome import Decoding, Encoding, Failure, Outcome
from tokparity.questions import Decode
from tokparity.reference.tokenizer import Tokenizer
from tokparity.vocabulary import Vocabulary

Answer = tuple[int, ...] | bytes
"""The ids of a text, or the bytes that ids were decoded to, or whether the engine lives or dies."""

Aspect = Literal["ids", "decode", "failure"]

LIVES, DIES = (0,), (1,)
"""The answers where all that is looked at is whether there is one."""

Ask = Callable[[Sequence[AnyCase]], Sequence[Outcome]]
"""Puts more cases to the deviant engine."""

_SAMPLE_BYTES = 6_000
_LONG = 2_000  # bytes of text; what a longer one shows, a shorter one nearly always shows as well


@dataclass(frozen=True)
class Base:
    """A vocabulary and the behaviour that belongs to it: what the oracle reads, or what the engine read."""

    vocabulary: Vocabulary
    behaviour: Behaviour

    @cached_property
    def tokenizer(self) -> Tokenizer:
        """The two together; large, and relatives of it share much, so it lives as long as this."""
        return Tokenizer(self.vocabulary, self.behaviour)

    @cached_property
    def pieces(self) -> Pieces:
        """The pieces, ready to be looked for in texts."""
        return Pieces(self.vocabulary, self.behaviour)


@dataclass(frozen=True)
class Observation:
    """One thing the engine did. `ids` is what was decoded, where decoding is looked at.

    `index` is the place among the mismatches, None for a control or a text that the diagnosis itself put. `beside` is
    how wrong ids were decoded: it tells explanations apart, but no run judges it, and none has to explain it.
    """

    case: AnyCase
    expected: Answer
    actual: Answer
    ids: tuple[int, ...] = ()
    kind: str = ""
    index: int | None = None
    beside: bool = False

    @property
    def is_control(self) -> bool:
        """Whether the engine was right."""
        return self.expected == self.actual


def observations(aspect: Aspect, mismatches: Sequence[Mismatch], controls: Sequence[Control]) -> list[Observation]:
    """The evidence about one aspect, mismatches first."""
    wrong = [_of_mismatch(aspect, index, mismatch) for index, mismatch in enumerate(mismatches)]
    right = [_of_control(aspect, control) for control in controls]
    return [found for found in chain(wrong, right) if found is not None]


def _of_mismatch(aspect: Aspect, index: int, mismatch: Mismatch) -> Observation | None:
    expected, actual = mismatch.expected, mismatch.actual
    if aspect == "failure":
        if isinstance(actual, Failure):
            return Observation(mismatch.case, LIVES, DIES, kind=mismatch.kind, index=index)
        return Observation(mismatch.case, LIVES, LIVES)
    if aspect == "decode" and isinstance(expected, Decoding) and isinstance(actual, Decoding):
        return Observation(mismatch.case, expected.decoded, actual.decoded, _row(mismatch.case), mismatch.kind, index)
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
        return Observation(control.case, LIVES, LIVES)
    if aspect == "ids":
        return Observation(control.case, outcome.ids, outcome.ids) if isinstance(outcome, Encoding) else None
    if outcome.decoded is None:
        return None
    ids = outcome.ids if isinstance(outcome, Encoding) else _row(control.case)
    return Observation(control.case, outcome.decoded, outcome.decoded, ids=ids)


def _row(case: AnyCase) -> tuple[int, ...]:
    return case.question.ids if isinstance(case.question, Decode) else ()


def sample(evidence: Sequence[Observation], mismatches: int, controls: int) -> list[Observation]:
    """Some of the evidence, of each kind, the shortest texts first: these tell most in the least time."""
    # Controls that look like the mismatches refute more than ones that do not; of these the shorter ones again.
    right = sorted((o for o in evidence if o.is_control), key=size)
    taken = _bounded(chain.from_iterable(zip_longest(*_by_kind(evidence))), mismatches)
    return taken + _bounded(right, controls)


def first_of_each_kind(evidence: Iterable[Observation]) -> list[Observation]:
    """The shortest text of each kind of mismatch, the most frequent kind first."""
    return [group[0] for group in sorted(_by_kind(evidence), key=len, reverse=True)]


def _by_kind(evidence: Iterable[Observation]) -> list[list[Observation]]:
    """What is no control, by kind, each the shortest first."""
    groups: dict[str, list[Observation]] = {}
    for observation in evidence:
        if not observation.is_control:
            groups.setdefault(observation.kind, []).append(observation)
    return [sorted(group, key=size) for group in groups.values()]


def size(observation: Observation) -> tuple[int, bytes]:
    """Orders observations by the length of their text."""
    return observation.case.question.size, observation.case.question.shown


def _bounded(source: Iterable[Observation | None], most: int) -> list[Observation]:
    taken: list[Observation] = []
    room = _SAMPLE_BYTES
    for observation in source:
        if observation is None or (taken and observation.case.question.size > min(room, _LONG)):
            continue
        taken.append(observation)
        room -= observation.case.question.size
        if len(taken) == most:
            break
    return taken
