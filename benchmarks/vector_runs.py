"""What runners say of engines on their own model's vectors: planted faults, and the deviations of right ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

from tokparity import quirks
from tokparity.case import Case
from tokparity.chat import Renderer
from tokparity.engines.deviations import known
from tokparity.outcome import NOT_ASKED, TIMEOUT, Failure
from tokparity.questions import Render
from tokparity.reference.imitate import imitate
from tokparity.reference.tokenizer import Tokenizer
from tokparity.session.panel import EnginePanel, ask
from tokparity.session.seats import seat
from tokparity.vectors import conversations
from tokparity.vectors.faults import Answers
from tokparity.vectors.model import Answer, Group, Prompted, RightPrompt, Vectors, answer_of
from tokparity.vectors.naming import judge

if TYPE_CHECKING:
    from tokparity.models import Model
    from tokparity.questions import Question
    from tokparity.quirk import Quirk

RIGHT = ("llama.cpp", "sentencepiece", "tokenizers")
"""Engines that are taken to be right, but for their known deviations."""


@dataclass(frozen=True)
class Run:
    """A right engine's run: the cases, the failing ones by the known deviation that they show, and the rest."""

    engine: str
    asked: int
    failed: int
    deviations: Mapping[str, int]
    unexplained: Sequence[str]


def misnamed(vectors: Vectors | Group, answers: Answers) -> tuple[list[str], int]:
    """The planted faults that a runner does not name first, by their own name or one told alike; how many it saw."""
    right = {case.question: answer_of(imitate(answers.tokenizer, case.question)) for case in vectors.cases}
    planted = ((mutant.name, mutant.same, answers.wrong[mutant.name]) for mutant in answers.mutants)
    return _misnamed(vectors, right, planted)


def misnamed_conversations(group: Group, right: Tokenizer, specials: Iterable[str]) -> tuple[list[str], int]:
    """The same of conversations, whose faults are planted in the reference renderer."""
    rights = {
        case.question: case.answer
        for case in group.cases
        if isinstance(case.question, Render) and isinstance(case.answer, RightPrompt)
    }
    with Renderer() as reference:
        asked = conversations.put(rights, right, specials, reference)
    given = {one: None if prompt.text is None else Prompted(prompt.text, prompt.ids) for one, prompt in rights.items()}
    return _misnamed(group, given, ((name, (), wrong) for name, wrong in asked.wrong.items()))


def _misnamed(
    vectors: Vectors | Group,
    right: Mapping[Any, Answer],
    planted: Iterable[tuple[str, Sequence[str], Mapping[Any, Answer]]],
) -> tuple[list[str], int]:
    wrongly, seen = [], 0
    for fault, same, wrong in planted:
        given = {**right, **wrong}
        outcome = judge(vectors, {case.id: given[case.question] for case in vectors.cases})
        if not outcome.failed:
            continue
        seen += 1
        first = [one.fault for one in outcome.named[:1]]
        names = {other for name in first for other in (name, *vectors.faults[name].alike)}
        if names.isdisjoint((fault, *same)):
            wrongly.append(fault)
    return wrongly, seen


def right_engines(model: Model, vectors: Vectors, right: Tokenizer) -> Iterator[Run]:
    """The runs of the right engines that open the model."""
    seats = [one for one in seat(model, ()).seats if one.engine in RIGHT]
    with EnginePanel(seats, TIMEOUT) as panel:
        for engine in (one.engine for one in seats if one.engine not in panel.unavailable):
            outcomes = ask(panel, engine, [Case(case.question) for case in vectors.cases])
            pairs = zip(vectors.cases, outcomes, strict=True)
            refused = {case.id for case, got in pairs if isinstance(got, Failure) and got.kind in NOT_ASKED}
            pairs = zip(vectors.cases, outcomes, strict=True)
            yield _run(
                engine, vectors, {case.id: answer_of(got) for case, got in pairs if case.id not in refused}, right
            )


def _run(engine: str, vectors: Vectors, answers: Mapping[str, Answer], right: Tokenizer) -> Run:
    """A failing case is explained by a deviation that its wrong answers name, or by two, or all, in one tokenizer."""
    flips = [quirks.get(name) for name in sorted({one.quirk for one in known(engine)})]
    flips = [quirk for quirk in flips if quirk.flip(right.behaviour) != right.behaviour]
    together = [(quirk,) for quirk in flips] + [*combinations(flips, 2), tuple(flips)]
    outcome = judge(vectors, answers)
    shown: Counter[str] = Counter()
    unexplained = []
    for one in outcome.failed:
        told = {also for name in one.faults for also in (name, *vectors.faults[name].alike)} & {q.name for q in flips}
        several = (some for some in together if not told and _gives(right, some, one.case.question, one.answer))
        told = told or {quirk.name for quirk in next(several, ())}
        shown.update(told)
        if not told:
            unexplained.append(f"{one.case.id} ({', '.join(one.faults) or 'no fault'})")
    return Run(engine, outcome.asked, len(outcome.failed), shown, unexplained)


def _gives(right: Tokenizer, some: Sequence[Quirk], question: Question, answer: Answer) -> bool:
    built = right.with_behaviour(quirks.flip_all(some, right.behaviour))
    return answer_of(imitate(built, question)) == answer
