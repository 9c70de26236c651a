"""Where sound implementations differ: the questions to which another answer is acceptable as well."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain, product

from tokparity.questions import Encode, Question
from tokparity.questions.json_text import is_utf8
from tokparity.vectors.faults import Answers, Mutant
from tokparity.vectors.model import Acceptable, Answer, Right

WHY_UNTOLD = "it shows only where its answer is acceptable: on text that is not valid UTF-8, or that is empty"

_BYTES = "the text is not valid UTF-8, and engines replace or keep its bytes in different ways"
_REFUSED = "the text is not valid UTF-8, and an engine that takes only text refuses it"
_NOTHING = "the text is empty, and some engines add nothing to it"

_WAYS = ("keeps_invalid_bytes", "replaces_each_invalid_byte", "replaces_maximal_subparts")
"""Quirks whose answers to invalid UTF-8 are acceptable."""

Accepted = Mapping[Question, tuple[Acceptable, ...]]
Wrong = dict[str, dict[Question, Answer]]


def settled(answers: Answers) -> tuple[Accepted, Wrong]:
    """The acceptable answers of the questions that have any, and all wrong answers without these."""
    names: dict[Question, dict[Answer, list[str]]] = {}
    for name, given in answers.wrong.items():
        for question, answer in given.items():
            if _is_convention(question):
                names.setdefault(question, {}).setdefault(answer, []).append(name)
    accepted = {
        question: tuple(_acceptable(question, answers.right[question], names.get(question, {})))
        for question in answers.right
        if _is_convention(question)
    }
    allowed = {question: frozenset(one.answer for one in some) for question, some in accepted.items()}
    wrong = {
        name: {question: answer for question, answer in found.items() if answer not in allowed.get(question, ())}
        for name, found in answers.wrong.items()
    }
    _add_hidden(answers, allowed, wrong)
    return {question: some for question, some in accepted.items() if some}, wrong


def _add_hidden(answers: Answers, allowed: Mapping[Question, frozenset[Answer]], wrong: Wrong) -> None:
    """What faults make of invalid UTF-8 that show only in an engine which reads it in another acceptable way."""
    ways = [one for one in answers.mutants if not {one.name, *one.same}.isdisjoint(_WAYS)]
    hidden = [one for one in answers.mutants if not wrong[one.name] and one not in ways]
    for way, mutant in product(ways, hidden):
        read = {question: answers.wrong[way.name].get(question, answers.right[question]) for question in allowed}
        both = Mutant(mutant.quirk, mutant.quirk.flip(way.behaviour))
        found = answers.differing(both, read) if mutant.quirk.field != way.quirk.field else ()
        for question, answer in found:
            if answer != answers.right[question] and answer not in allowed[question]:
                wrong[mutant.name].setdefault(question, answer)


def _is_convention(question: Question) -> bool:
    return isinstance(question, Encode) and not (question.text and is_utf8(question.text))


def _acceptable(question: Question, right: Right, names: Mapping[Answer, list[str]]) -> list[Acceptable]:
    if isinstance(question, Encode) and not question.text:
        return [Acceptable((), _NOTHING, tuple(names.get((), ())))] if right else []
    ways = (answer for answer, some in names.items() if answer is not None and not set(some).isdisjoint(_WAYS))
    told = chain(((answer, _BYTES) for answer in ways), ((None, _REFUSED),))
    return [Acceptable(answer, why, tuple(sorted(names.get(answer, ())))) for answer, why in told]
