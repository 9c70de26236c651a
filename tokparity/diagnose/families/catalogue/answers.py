"""Questions to the engine and its answers; each answer gives an observation.

This module does not change the evidence: the caller does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from tokparity.case import AnyCase
from tokparity.diagnose.evidence import Ask, Observation
from tokparity.diagnose.families.catalogue.problem import Problem
from tokparity.diagnose.limits.families import WORK_PER_QUESTION
from tokparity.difference import UNKNOWN, first_difference, kind_of_decoded, kind_of_ids, kind_of_row
from tokparity.outcome import LATE, NOT_ASKED, Answer, Decoding, Encoding, Failure, Outcome, Spanning, Streaming
from tokparity.questions import Decode
from tokparity.vocabulary import pieces_at

_NOTHING = Failure("unavailable", "not asked")
"""The answer to a question that was not asked yet."""


def posed(problem: Problem, case: AnyCase) -> Observation | None:
    """A case with the reference's answer, before the engine has answered.

    None where the reference gives nothing.
    """
    if isinstance(case.question, Decode):
        return _decoding(problem, case, case.question.ids) if problem.aspect == "decode" else None
    right = problem.encodes.predict(Observation(case, _NOTHING, _NOTHING))
    if not isinstance(right, Encoding):
        return None
    if problem.aspect == "decode":
        return _decoding(problem, case, right.ids)
    return Observation(case, right, right, kind="asked", asked=True)


def _decoding(problem: Problem, case: AnyCase, ids: tuple[int, ...]) -> Observation | None:
    """The question what ids decode to; None where the reference cannot decode them."""
    right = problem.reference.predict(Observation(case, Encoding(ids), _NOTHING))
    return None if right is None else Observation(case, right, right, kind="asked", asked=True)


def answered(problem: Problem, questions: Sequence[Observation], ask: Ask | None = None) -> list[Observation | None]:
    """The answer of the engine, or of the process that `ask` runs, to each question.

    None where it cannot be asked, or fails, or decodes nothing.
    """
    ask = ask or problem.ask
    if not questions or ask is None:
        return [None] * len(questions)
    problem.budget.spend(sum(WORK_PER_QUESTION + asked.case.question.size for asked in questions))
    outcomes = ask([asked.case for asked in questions])
    pairs = zip(questions, outcomes, strict=True)
    return [_observed(problem, asked, got) if not isinstance(got, Failure) else None for asked, got in pairs]


def _observed(problem: Problem, asked: Observation, got: Answer) -> Observation | None:
    """The question with the engine's answer, of the kind that it would have as a mismatch.

    How wrong ids were decoded is held against what the reference decodes of the same ids.
    """
    if isinstance(got, Streaming | Spanning):
        return None
    spelled = partial(pieces_at, problem.bases[0].vocabulary.pieces)
    if isinstance(got, Decoding):
        unknown = not UNKNOWN.isdisjoint(spelled(asked.ids))
        actual = Decoding(got.decoded)
        return replace(asked, actual=actual, kind=kind_of_row(kind_of_decoded(unknown, was_the_text=False)))
    if problem.aspect == "ids":
        kind = kind_of_ids(spelled(asked.ids), spelled(got.ids), first_difference(asked.ids, got.ids))
        return replace(asked, actual=Encoding(got.ids), kind=kind)
    beside = got.ids != asked.ids
    decoding = _decoding(problem, asked.case, got.ids) if beside else asked
    if got.decoded is None or decoding is None or isinstance(decoding.expected, Failure):
        return None
    kind = kind_of_decoded(not UNKNOWN.isdisjoint(spelled(got.ids)), decoding.expected.decoded == asked.question.shown)
    return replace(decoding, actual=Encoding(got.ids, got.decoded), kind=kind, beside=beside)


def not_repeated(problem: Problem, observations: Sequence[Observation]) -> list[Observation]:
    """The observations on which the engine returns another answer when it runs again.

    No answer in time, or none because it is not asked any more, is not another one.
    """
    if problem.ask is None:
        return []
    pairs = zip(observations, problem.ask([seen.case for seen in observations]), strict=True)
    return [seen for seen, outcome in pairs if not _repeats(problem, seen, outcome)]


def _repeats(problem: Problem, seen: Observation, outcome: Outcome) -> bool:
    if isinstance(outcome, Failure) and outcome.kind in (*NOT_ASKED, *LATE):
        return True
    if isinstance(outcome, Encoding):
        outcome = Encoding(outcome.ids, outcome.decoded if problem.aspect == "decode" else None)
    return seen.actual == outcome
