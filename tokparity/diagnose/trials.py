"""Trying out: what a behaviour gives on the evidence. Tokenizers are built once and share what they can."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from tokparity.behaviour import Behaviour, Stage
from tokparity.diagnose.budget import Budget
from tokparity.diagnose.evidence import DIES, LIVES, Answer, Base, Observation
from tokparity.errors import AbortedError
from tokparity.questions import Decode, Encode
from tokparity.quirk import Quirk
from tokparity.quirks import flip_all
from tokparity.reference.tokenizer import Tokenizer

SOURCE_DIFFERS = "source_differs"
"""Stands among the quirks of a finding where the engine obeys its own file, which is not what the oracle's says."""

_KEPT, _KEPT_PIECES = 16, 500_000  # tokenizers kept, and pieces that all of them may have together
_PUT, _BUILT = 40, 400  # work, on top of the bytes of a text and the pieces of a tokenizer


@dataclass(frozen=True)
class Candidate:
    """An explanation to be tried: flips of a base's behaviour. Base 0 is what the oracle reads."""

    base: int
    quirks: tuple[Quirk, ...]
    behaviour: Behaviour

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the flips, sorted; that the source differs counts as one."""
        source = [SOURCE_DIFFERS] if self.base else []
        return tuple(source + sorted(quirk.name for quirk in self.quirks))

    def plus(self, quirk: Quirk, unflipped: Behaviour) -> Candidate:
        """This explanation with one flip more."""
        quirks = (*self.quirks, quirk)
        return Candidate(self.base, quirks, flip_all(quirks, unflipped))


class Trials(Protocol):
    """What candidates give on observations of one aspect. `broken` maps a candidate that raised to what it raised."""

    broken: dict[tuple[str, ...], str]

    def answer(self, candidate: Candidate, observation: Observation) -> Answer | None:
        """What the candidate gives; None where it cannot be run on this model."""
        ...

    def concerns(self, quirk: Quirk) -> bool:
        """Whether the quirk's field has to do with this aspect."""
        ...


class IdTrials:
    """Ids of texts."""

    def __init__(self, bases: Sequence[Base], budget: Budget) -> None:
        self.broken: dict[tuple[str, ...], str] = {}
        self._bases = bases
        self._budget = budget
        self._tokenizers: dict[tuple[int, Behaviour], Tokenizer] = {}
        self._last: tuple[Candidate, Tokenizer] | None = None

    def concerns(self, quirk: Quirk) -> bool:
        """All but decoding."""
        return quirk.stage is not Stage.DECODING

    def answer(self, candidate: Candidate, observation: Observation) -> Answer | None:
        """The ids of the observation's text."""
        question = observation.case.question
        if not isinstance(question, Encode):
            return None
        self._budget.spend(_PUT + question.size)
        try:
            tokenizer = self._tokenizer(candidate)
            return tuple(tokenizer.encode(question.text, question.add_special, question.parse_special))
        except Exception as error:
            # A flip that does not fit a model (Viterbi without scores) may raise anything. It explains nothing there.
            self.broken.setdefault(candidate.names, f"{type(error).__name__}: {error}"[:200])
            return None

    def _tokenizer(self, candidate: Candidate) -> Tokenizer:
        # Mostly it is the last one's, and comparing behaviours takes as long as encoding a text.
        if self._last is None or self._last[0] is not candidate:
            self._last = candidate, self._kept(candidate)
        return self._last[1]

    def _kept(self, candidate: Candidate) -> Tokenizer:
        key = candidate.base, candidate.behaviour
        found = self._tokenizers.pop(key, None)
        if found is None:
            self._budget.spend(_BUILT + len(self._bases[candidate.base].vocabulary) // 8)
            found = self._bases[candidate.base].tokenizer.with_behaviour(candidate.behaviour)
            pieces = len(self._bases[candidate.base].vocabulary) + 1
            while len(self._tokenizers) >= max(2, min(_KEPT, _KEPT_PIECES // pieces)):
                del self._tokenizers[next(iter(self._tokenizers))]
        self._tokenizers[key] = found
        return found


class FailureTrials(IdTrials):
    """Whether there are ids at all; only a flip that stands for a crash may make an engine die."""

    def concerns(self, quirk: Quirk) -> bool:
        """Those that stand for a crash, and no others."""
        return quirk.stands_for_crash

    def answer(self, candidate: Candidate, observation: Observation) -> Answer | None:
        """Whether the engine lives."""
        question = observation.case.question
        if not isinstance(question, Encode):
            return None
        self._budget.spend(_PUT + question.size)
        try:
            self._tokenizer(candidate).encode(question.text, question.add_special, question.parse_special)
        except AbortedError:
            return DIES
        except Exception as error:
            self.broken.setdefault(candidate.names, f"{type(error).__name__}: {error}"[:200])
            return None
        return LIVES


class DecodeTrials:
    """Bytes of ids, special tokens left out, as a run asks for them."""

    def __init__(self, bases: Sequence[Base], budget: Budget) -> None:
        self.broken: dict[tuple[str, ...], str] = {}
        self._bases = bases
        self._budget = budget

    def concerns(self, quirk: Quirk) -> bool:
        """Any field may: decoding rules look at the others as well."""
        return True

    def answer(self, candidate: Candidate, observation: Observation) -> Answer | None:
        """The bytes of the ids that the engine decoded."""
        self._budget.spend(_PUT + 2 * len(observation.ids))
        question = observation.case.question
        skips = question.skip_special if isinstance(question, Decode) else True
        behaviour = candidate.behaviour.skipping_special if skips else candidate.behaviour.showing_special
        try:
            return behaviour.decode(self._bases[candidate.base].vocabulary, behaviour, observation.ids)
        except Exception as error:
            self.broken.setdefault(candidate.names, f"{type(error).__name__}: {error}"[:200])
            return None
