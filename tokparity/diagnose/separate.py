"""Texts on which explanations that fit the evidence differ, and what the engine says to them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tokparity.diagnose.dossier import Dossier
from tokparity.diagnose.evidence import Answer, Observation
from tokparity.diagnose.texts import PROBE, texts
from tokparity.diagnose.trials import Candidate
from tokparity.questions import Question

_TRIED = 400
"""Texts that are looked at for a difference."""
THOROUGH = 4
"""So many times as many texts are looked at and asked where nothing comes after it."""

_SPLITS = 3  # texts asked for each way in which explanations fall apart
_ASKED = 160  # texts asked in all
_CONFIRMING = 40  # texts asked on which the explanation says that the engine is wrong


def separating(dossier: Dossier, fits: Sequence[Candidate]) -> Question | None:
    """The shortest text found on which the explanations do not all say the same."""
    unlike = [
        observation.case.question for observation, answers in _predicted(dossier, fits, _TRIED) if len(set(answers)) > 1
    ]
    return min(unlike, key=lambda question: question.order, default=None)


def put(dossier: Dossier, fits: Sequence[Candidate], times: int = 1) -> list[Observation]:
    """What the engine gives to texts that separate the explanations, and to some on which they say that it is wrong.

    `times`: as many times the usual number of texts; if it is THOROUGH, all probes are asked as well.
    """
    chosen: list[Observation] = []
    splits: dict[tuple[int, ...], int] = {}
    confirming = 0
    for observation, answers in _predicted(dossier, fits, _TRIED * times):
        split = tuple(answers.index(answer) for answer in answers)
        if len(set(split)) > 1:
            if splits.setdefault(split, 0) >= _SPLITS:
                continue
            splits[split] += 1
        elif times < THOROUGH or observation.case.origin.name != PROBE:
            if answers[0] == observation.expected or confirming >= _CONFIRMING * times:
                continue
            confirming += 1
        chosen.append(observation)
        if len(chosen) >= _ASKED * times:
            break
    return [observation for observation in dossier.put(chosen) if observation is not None]


def _predicted(
    dossier: Dossier, fits: Sequence[Candidate], tried: int
) -> Iterator[tuple[Observation, list[Answer | None]]]:
    """Texts with what the reference gives (as `expected`) and what each explanation says that the engine gives."""
    unasked = map(dossier.unasked, texts(dossier.bases[0].vocabulary, dossier.evidence, tried))
    observations = [observation for observation in unasked if observation is not None]
    # One explanation after the other: of a large model only a few tokenizers are kept at a time.
    columns = [[dossier.trials.answer(fit, observation) for observation in observations] for fit in fits]
    return zip(observations, map(list, zip(*columns, strict=True)), strict=True)
