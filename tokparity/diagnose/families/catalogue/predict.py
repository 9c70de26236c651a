"""Predictions: the engine's answer if a hypothesis is true, made by running the changed reference."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence

from tokparity.behaviour import Behaviour
from tokparity.diagnose.base import Base
from tokparity.diagnose.budget import Budget
from tokparity.diagnose.evidence import DIES, Aspect, Observation
from tokparity.diagnose.families.catalogue.candidate import Candidate, Predictor, flipped
from tokparity.diagnose.limits import Limits
from tokparity.diagnose.limits.families import WORK_PER_RUN
from tokparity.diagnose.reduce import ReducedModel
from tokparity.outcome import Decoding, Encoding, Failure, Outcome
from tokparity.questions import Decode, Question
from tokparity.quirk import Quirk
from tokparity.reference.imitate import imitate, imitate_decoding
from tokparity.reference.tokenizer import Tokenizer

_DECODING = frozenset(("decode", "skip_special", "strip_decoded_prefix", "clean_up"))
"""Fields that change no ids."""


def concerns(quirk: Quirk, aspect: Aspect) -> bool:
    """Whether a quirk can change anything in an aspect."""
    if aspect == "ids":
        return quirk.field not in _DECODING
    if aspect == "failure":
        return quirk.stands_for_crash
    return True  # the rules of decoding look at other fields as well


def predictor(
    aspect: Aspect, bases: Sequence[Base], budget: Budget, limits: Limits, small: ReducedModel | None = None
) -> Predictor:
    """What runs the hypotheses of one aspect, encoding with a `small` model if there is one.

    Decoding needs all pieces and no algorithm is built for it, so there only the ids of texts come of the small model.
    """
    small = small or ReducedModel(bases)
    if aspect == "decode":
        return DecodePredictor(bases, budget, limits, small)
    if aspect == "failure":
        return FailurePredictor(small.bases, budget, limits, bases)
    return IdPredictor(small.bases, budget, limits)


def _shown(behaviour: Behaviour, question: Question) -> Behaviour:
    """The behavior that decodes what a question asks for; a run asks for the text of ids without special tokens."""
    hides = question.skip_special if isinstance(question, Decode) else True
    return behaviour.skipping_special if hides else behaviour.showing_special


class _Answers:
    """What hypotheses answered, as far as memory allows: searching, giving parts and attacking ask much of the same."""

    def __init__(self, most: int) -> None:
        self._most, self._kept = most, 0
        self._by_hypothesis: dict[tuple[int, Behaviour], dict[Hashable, Outcome]] = {}
        self._last: tuple[Candidate, dict[Hashable, Outcome]] | None = None

    def of(self, hypothesis: Candidate, asked: Hashable, answer: Callable[[], Outcome]) -> Outcome:
        """The predicted answer to a question; the model runs if it is not known yet."""
        answers = self._of(hypothesis)
        found = answers.get(asked)
        if found is None:
            found = answers[asked] = answer()
            self._kept += len(getattr(found, "ids", getattr(found, "decoded", ()))) + 1
        return found

    def _of(self, hypothesis: Candidate) -> dict[Hashable, Outcome]:
        if self._kept > self._most:
            self._by_hypothesis.clear()
            self._last, self._kept = None, 0
        # Mostly it is the last one's, and comparing behaviors takes as long as encoding a text.
        if self._last is None or self._last[0] is not hypothesis:
            key = hypothesis.base, hypothesis.behaviour
            self._last = hypothesis, self._by_hypothesis.setdefault(key, {})
        return self._last[1]


class IdPredictor:
    """Predicts the ids of texts. As far as memory allows, tokenizers are built once, and asked the same once."""

    def __init__(self, bases: Sequence[Base], budget: Budget, limits: Limits) -> None:
        self.bases = bases
        self._budget = budget
        self._limits = limits
        self._tokenizers: dict[tuple[int, Behaviour], Tokenizer] = {}
        self._last: tuple[Candidate, Tokenizer] | None = None
        self._answers = _Answers(limits.ids_in_memory)

    def predict(self, hypothesis: Candidate, observation: Observation) -> Outcome | None:
        """The ids of the observation's text."""
        outcome = self._outcome(hypothesis, observation)
        return outcome if isinstance(outcome, Encoding) else None

    def _outcome(self, hypothesis: Candidate, observation: Observation) -> Outcome:
        question = observation.case.question
        self._budget.spend(WORK_PER_RUN + question.size)
        return self._answers.of(hypothesis, question, lambda: imitate(lambda: self._tokenizer(hypothesis), question))

    def _tokenizer(self, hypothesis: Candidate) -> Tokenizer:
        if self._last is None or self._last[0] is not hypothesis:
            self._last = hypothesis, self._kept(hypothesis)
        return self._last[1]

    def _kept(self, hypothesis: Candidate) -> Tokenizer:
        key = hypothesis.base, hypothesis.behaviour
        found = self._tokenizers.pop(key, None)
        if found is None:
            base = self.bases[hypothesis.base]
            self._budget.spend(base.work_of(hypothesis.behaviour))
            found = base.tokenizer.with_behaviour(hypothesis.behaviour)
            room = self._limits.pieces_in_memory // (len(base.vocabulary) + 1)
            while len(self._tokenizers) >= max(2, min(self._limits.tokenizers, room)):
                del self._tokenizers[next(iter(self._tokenizers))]
        self._tokenizers[key] = found  # the latest used comes last
        return found


class FailurePredictor(IdPredictor):
    """Predicts whether the engine answers at all; only a quirk with `stands_for_crash` makes it crash.

    It may die of a text while it encodes, or while it decodes the ids. Those are decoded with the vocabularies of
    `whole`, for they are the ids of all pieces.
    """

    def __init__(self, bases: Sequence[Base], budget: Budget, limits: Limits, whole: Sequence[Base]) -> None:
        super().__init__(bases, budget, limits)
        self._whole = whole

    def predict(self, hypothesis: Candidate, observation: Observation) -> Outcome | None:
        """Whether the engine lives."""
        question = observation.case.question
        outcome = None if isinstance(question, Decode) else self._outcome(hypothesis, observation)
        decodes = outcome is None or any(quirk.field in _DECODING for quirk in hypothesis.quirks)
        if decodes and not isinstance(outcome, Failure):
            vocabulary = self._whole[hypothesis.base].vocabulary
            outcome = imitate_decoding(vocabulary, _shown(hypothesis.behaviour, question), observation.ids)
        if isinstance(outcome, Failure):
            return DIES if outcome.kind == "crash" else None
        return observation.expected


class DecodePredictor:
    """Predicts what ids decode to; those of texts with special tokens left out, as a run asks for it.

    A hypothesis that decodes as the engine does, but of other ids than the engine gave, predicts nothing.
    """

    def __init__(self, bases: Sequence[Base], budget: Budget, limits: Limits, small: ReducedModel) -> None:
        self.bases = bases
        self._budget = budget
        self._small = small
        self._encoder = IdPredictor(small.bases, budget, limits)
        self._answers = _Answers(limits.ids_in_memory)
        self._last: tuple[Candidate, Candidate] | None = None

    def predict(self, hypothesis: Candidate, observation: Observation) -> Outcome | None:
        """The bytes of the ids that the engine decoded."""
        self._budget.spend(WORK_PER_RUN + 2 * len(observation.ids))
        vocabulary, behaviour = self.bases[hypothesis.base].vocabulary, hypothesis.behaviour
        shown, ids = _shown(behaviour, observation.case.question), observation.ids
        outcome = self._answers.of(
            hypothesis, (shown.skip_special, ids), lambda: imitate_decoding(vocabulary, shown, ids)
        )
        if not isinstance(outcome, Decoding):
            return None
        # Building a tokenizer takes long, so ids are only looked at where they decide.
        if outcome.decoded == getattr(observation.actual, "decoded", None) and not self._gives_the_ids(
            hypothesis, observation
        ):
            return None
        return outcome if isinstance(observation.question, Decode) else Encoding(observation.ids, outcome.decoded)

    def _gives_the_ids(self, hypothesis: Candidate, observation: Observation) -> bool:
        """Whether the hypothesis leaves the ids of a text right, as the engine did."""
        if isinstance(observation.case.question, Decode) or observation.beside:
            return True
        if all(quirk.field in _DECODING for quirk in hypothesis.quirks):
            return True
        if self._last is None or self._last[0] is not hypothesis:
            self._last = hypothesis, flipped(self._encoder, hypothesis.base, hypothesis.quirks)
        return self._last[1].predict(observation) == Encoding(self._small.numbered(observation.ids))
