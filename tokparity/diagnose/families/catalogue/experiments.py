"""Experiments: texts on which the remaining hypotheses predict different answers, and the engine's answers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tokparity.diagnose.evidence import Evidence, Observation
from tokparity.diagnose.families.catalogue.answers import answered, posed
from tokparity.diagnose.families.catalogue.candidate import Candidate
from tokparity.diagnose.families.catalogue.problem import Problem
from tokparity.diagnose.families.catalogue.texts import PROBE, texts
from tokparity.outcome import Outcome
from tokparity.questions import Question


def distinguishing_question(problem: Problem, evidence: Evidence, hypotheses: Sequence[Candidate]) -> Question | None:
    """The question that has the most different answers by the hypotheses, of those the shortest; None if all agree.

    One that a person can type is taken where there is one.
    """
    predicted = _predicted(problem, evidence, hypotheses, problem.limits.experiment_texts)
    answers = [(len(set(predictions)), asked.case.question) for asked, predictions in predicted]
    unlike = [(not _can_be_typed(q), -different, q.order, q) for different, q in answers if different > 1]
    return min(unlike, key=lambda one: one[:3])[3] if unlike else None


def _can_be_typed(question: Question) -> bool:
    return re.fullmatch(rb"[A-Za-z0-9 .,:;!?'-]+", question.shown) is not None


def experiment(
    problem: Problem, evidence: Evidence, hypotheses: Sequence[Candidate], thorough: bool = False
) -> list[Observation]:
    """What the engine answers to texts on which the hypotheses differ, or agree that it is wrong.

    A thorough experiment asks more of them, and the probes as well, whatever the hypotheses say of these.
    """
    found = answered(problem, _chosen(problem, evidence, hypotheses, thorough))
    return [observation for observation in found if observation is not None]


def _chosen(problem: Problem, evidence: Evidence, hypotheses: Sequence[Candidate], thorough: bool) -> list[Observation]:
    """The questions of an experiment."""
    limits = problem.limits
    times = limits.thorough_factor if thorough else 1
    chosen: list[Observation] = []
    asked_of_split: dict[tuple[int, ...], int] = {}
    confirming = 0
    for asked, predictions in _predicted(problem, evidence, hypotheses, limits.experiment_texts * times):
        # Hypotheses that predict the same have the same number.
        split = tuple(predictions.index(answer) for answer in predictions)
        if len(set(split)) > 1:
            if asked_of_split.setdefault(split, 0) >= limits.questions_per_split:
                continue
            asked_of_split[split] += 1
        elif not (thorough and asked.case.origin.name == PROBE):
            if predictions[0] == asked.expected or confirming >= limits.confirming_questions * times:
                continue
            confirming += 1
        chosen.append(asked)
        if len(chosen) >= limits.experiment_questions * times:
            break
    return chosen


def _predicted(
    problem: Problem, evidence: Evidence, hypotheses: Sequence[Candidate], count: int
) -> Iterator[tuple[Observation, list[Outcome | None]]]:
    """Questions, each with what every hypothesis says that the engine answers."""
    proposed = texts(problem.bases[0].vocabulary, evidence.observations, count, problem.limits)
    questions = [asked for asked in (posed(problem, case) for case in proposed) if asked is not None]
    # One hypothesis after the other: of a large model only a few tokenizers are kept at a time.
    columns = [[hypothesis.predict(asked) for asked in questions] for hypothesis in hypotheses]
    return zip(questions, map(list, zip(*columns, strict=True)), strict=True)
