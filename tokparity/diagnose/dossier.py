"""All that the investigation of one engine and one aspect works with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from tokparity.case import AnyCase
from tokparity.diagnose.budget import Budget
from tokparity.diagnose.evidence import Answer, Ask, Aspect, Base, Observation, size
from tokparity.diagnose.trials import Candidate, DecodeTrials, FailureTrials, IdTrials, Trials
from tokparity.difference import UNKNOWN, first_difference, kind_of_decoded, kind_of_ids, kind_of_row
from tokparity.outcome import Answer as Given
from tokparity.outcome import Decoding, Encoding, Failure, Outcome
from tokparity.questions import Decode
from tokparity.quirk import Quirk
from tokparity.quirks import flip_all

_RUN_BYTES = 2_000_000  # of texts on which an explanation is verified
_ASKED = 100  # work, on top of a text's bytes


@dataclass
class Dossier:
    """`evidence` grows when the engine is asked; `ask` is None where it cannot be."""

    aspect: Aspect
    bases: Sequence[Base]
    quirks: Sequence[Quirk]
    evidence: list[Observation]
    ask: Ask | None
    budget: Budget

    def __post_init__(self) -> None:
        self.trials = self.new_trials(self.bases)
        self._given = frozenset(observation for observation in self.evidence if observation.is_control)
        self.quirks = [quirk for quirk in self.quirks if self.trials.concerns(quirk)]

    @cached_property
    def unflipped(self) -> Candidate:
        """The reference itself."""
        return Candidate(0, (), self.bases[0].behaviour)

    @cached_property
    def _encoding(self) -> Trials:
        """What gives the ids of a text, also where it is decoding that is looked at."""
        return self.trials if self.aspect == "ids" else IdTrials(self.bases, self.budget)

    def new_trials(self, bases: Sequence[Base]) -> Trials:
        """Trials of this aspect with other bases."""
        if self.aspect == "ids":
            return IdTrials(bases, self.budget)
        return (DecodeTrials if self.aspect == "decode" else FailureTrials)(bases, self.budget)

    def candidate(self, base: int, quirks: tuple[Quirk, ...]) -> Candidate:
        """These flips of a base."""
        return Candidate(base, quirks, flip_all(quirks, self.bases[base].behaviour))

    def run(self, most: int = _RUN_BYTES) -> list[Observation]:
        """The evidence, shortest texts first, as far as it takes no more than so many bytes together."""
        taken = []
        for observation in sorted(self.evidence, key=size):
            most -= observation.case.question.size
            if most < 0:
                break
            taken.append(observation)
        return taken

    def controls(self, run: Sequence[Observation]) -> int:
        """How many of these are controls that the diagnosis was given, not texts that it asked for."""
        return sum(observation in self._given for observation in run)

    def first_wrong(self, candidate: Candidate, run: Sequence[Observation]) -> Observation | None:
        """The first that the candidate does not reproduce."""
        return next((o for o in run if self.trials.answer(candidate, o) != o.actual), None)

    def unasked(self, case: AnyCase) -> Observation | None:
        """A case of which nothing is known but what the reference gives; None where it gives nothing."""
        if isinstance(case.question, Decode):
            return self._decoding(case, case.question.ids) if self.aspect == "decode" else None
        ids = self._encoding.answer(self.unflipped, Observation(case, (), ()))
        if not isinstance(ids, tuple):
            return None
        observation = Observation(case, ids, ids, kind="asked")
        if self.aspect != "decode":
            return observation
        return self._decoding(case, ids)

    def _decoding(self, case: AnyCase, ids: tuple[int, ...]) -> Observation | None:
        """What the reference decodes of ids; None where it cannot."""
        decoded = self.trials.answer(self.unflipped, Observation(case, b"", b"", ids))
        return None if decoded is None else Observation(case, decoded, decoded, ids, kind="asked")

    def put(self, observations: Sequence[Observation]) -> list[Observation | None]:
        """What the engine gives to these cases; None where that says nothing about the aspect. All becomes evidence."""
        if not observations or self.ask is None:
            return [None] * len(observations)
        self.budget.spend(sum(_ASKED + o.case.question.size for o in observations))
        outcomes = self.ask([observation.case for observation in observations])
        pairs = zip(observations, outcomes, strict=True)
        found = [self._answered(o, outcome) if not isinstance(outcome, Failure) else None for o, outcome in pairs]
        self.evidence += [observation for observation in found if observation is not None]
        return found

    def unsteady(self, observations: Sequence[Observation]) -> list[Observation]:
        """Those of them to which the engine gives another answer when it is asked again; failures are not repeated."""
        if self.ask is None or self.aspect == "failure":
            return []
        pairs = zip(observations, self.ask([observation.case for observation in observations]), strict=True)
        return [observation for observation, outcome in pairs if not self._repeats(observation, outcome)]

    def _repeats(self, observation: Observation, outcome: Outcome) -> bool:
        if isinstance(outcome, Decoding):
            return observation.actual == outcome.decoded
        if not isinstance(outcome, Encoding):
            return False
        known = (observation.actual,) if self.aspect == "ids" else (observation.ids, observation.actual)
        return known == (outcome.ids, outcome.decoded)[: len(known)]

    def _answered(self, observation: Observation, outcome: Given) -> Observation | None:
        """The observation with the engine's answer, of the kind that it would have as a mismatch.

        How wrong ids were decoded is held against what the reference decodes of the same ids.
        """
        case, expected, pieces = observation.case, observation.expected, self.bases[0].vocabulary.pieces

        def spelled(ids: Answer) -> list[bytes]:
            return [pieces[i] if 0 <= i < len(pieces) else b"" for i in ids]

        if isinstance(outcome, Decoding):
            kind = kind_of_row(kind_of_decoded(not UNKNOWN.isdisjoint(spelled(observation.ids)), was_the_text=False))
            return replace(observation, actual=outcome.decoded, kind=kind)
        if self.aspect == "ids":
            place = first_difference(expected, outcome.ids)
            kind = kind_of_ids(spelled(expected), spelled(outcome.ids), place)
            return replace(observation, actual=outcome.ids, kind=kind)
        beside = outcome.ids != observation.ids
        decoding = self._decoding(case, outcome.ids) if beside else observation
        if outcome.decoded is None or decoding is None:
            return None
        kind = kind_of_decoded(not UNKNOWN.isdisjoint(spelled(outcome.ids)), decoding.expected == case.question.shown)
        return replace(decoding, actual=outcome.decoded, kind=kind, beside=beside)
