"""Smaller questions that still show a fault, or tell two apart."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tokparity.questions import Decode, Encode, Question
from tokparity.reference.imitate import imitate
from tokparity.vectors.faults import Answers, Mutant
from tokparity.vectors.model import Answer, answer_of

_EACH = 3
"""Questions of each fault that are made smaller."""
_ATTEMPTS = 400
_SMALL = 6
"""Bytes of a text, or twice the ids of a row, that need not be made smaller."""


def smaller(answers: Answers, mutant: Mutant) -> list[Question]:
    """Return the shortest questions that show a fault, each as short as possible while it still shows the fault."""
    shortest = sorted(answers.wrong[mutant.name], key=lambda question: question.order)[:_EACH]
    ask = _asker(answers, mutant)
    right = _asker(answers, None)

    def shows(questions: Sequence[Question]) -> list[bool]:
        return [(found := right(question)) is not None and ask(question) != found for question in questions]

    return [_shrunk(question, shows) for question in shortest]


def _asker(answers: Answers, mutant: Mutant | None) -> Callable[[Question], Answer]:
    built = answers.tokenizer if mutant is None else answers.built(mutant)
    return lambda question: answer_of(imitate(built, question))


def _shrunk(question: Question, shows: Callable[[Sequence[Question]], Sequence[bool]]) -> Question:
    if isinstance(question, Decode):
        return question.fewer(shows, _ATTEMPTS) if len(question.ids) > _SMALL // 2 else question
    if isinstance(question, Encode) and len(question.text) > _SMALL:
        return question.shrunk(shows, _ATTEMPTS)
    return question
