"""Texts on which explanations that fit the evidence differ, and what the engine says to them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tokparity.diagnose.evidence import Answer, Ask, Aspect, Base, Observation
from tokparity.diagnose.texts import texts
from tokparity.diagnose.trials import Candidate, IdTrials, Trials
from tokparity.outcome import Encoding

_TRIED = 400
"""Texts that are looked at for a difference."""

_SPLITS = 3  # texts asked for each way in which explanations fall apart
_ASKED = 120  # texts asked in all
_CONFIRMING = 40  # texts asked on which the explanation says that the engine is wrong


def separating(
    aspect: Aspect, bases: Sequence[Base], fits: Sequence[Candidate], evidence: Sequence[Observation], trials: Trials
) -> bytes | None:
    """The shortest text found on which the explanations do not all say the same."""
    unlike = [
        observation.case.text
        for observation, answers in _predicted(aspect, bases, fits, evidence, trials)
        if len(set(answers)) > 1
    ]
    return min(unlike, key=lambda text: (len(text), text), default=None)


def put(
    aspect: Aspect,
    bases: Sequence[Base],
    fits: Sequence[Candidate],
    evidence: Sequence[Observation],
    ask: Ask,
    trials: Trials,
) -> list[Observation]:
    """What the engine gives to texts that separate the explanations, and to some on which they say that it is wrong."""
    chosen: list[Observation] = []
    splits: dict[tuple[int, ...], int] = {}
    confirming = 0
    for observation, answers in _predicted(aspect, bases, fits, evidence, trials):
        split = tuple(answers.index(answer) for answer in answers)
        if len(set(split)) > 1:
            if splits.setdefault(split, 0) >= _SPLITS:
                continue
            splits[split] += 1
        elif answers[0] == observation.expected or confirming >= _CONFIRMING:
            continue
        else:
            confirming += 1
        chosen.append(observation)
        if len(chosen) >= _ASKED:
            break
    outcomes = ask([observation.case for observation in chosen]) if chosen else []
    found = []
    for observation, outcome in zip(chosen, outcomes, strict=True):
        answered = _answered(aspect, observation, outcome) if isinstance(outcome, Encoding) else None
        if answered is not None:
            found.append(answered)
    return found


def _predicted(
    aspect: Aspect, bases: Sequence[Base], fits: Sequence[Candidate], evidence: Sequence[Observation], trials: Trials
) -> Iterator[tuple[Observation, list[Answer | None]]]:
    """Texts with what the reference gives (as `expected`) and what each explanation says that the engine gives."""
    unflipped = Candidate(0, (), bases[0].behaviour)
    encoding = IdTrials(bases) if aspect == "decode" else trials
    for case in texts(bases[0].vocabulary, evidence, _TRIED):
        ids = encoding.answer(unflipped, Observation(case, (), ()))
        if not isinstance(ids, tuple):
            continue
        observation = Observation(case, ids, ids, kind="asked")
        if aspect == "decode":
            decoded = trials.answer(unflipped, Observation(case, b"", b"", ids))
            observation = Observation(case, decoded or b"", decoded or b"", ids, kind="asked")
        yield observation, [trials.answer(candidate, observation) for candidate in fits]


def _answered(aspect: Aspect, observation: Observation, outcome: Encoding) -> Observation | None:
    if aspect == "ids":
        return Observation(observation.case, observation.expected, outcome.ids, kind="asked")
    if outcome.decoded is None or outcome.ids != observation.ids:
        return None
    return Observation(observation.case, observation.expected, outcome.decoded, outcome.ids, kind="asked")
