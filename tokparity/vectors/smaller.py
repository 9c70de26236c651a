"""Smaller questions that still show a fault, or tell two apart."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tokparity.questions import Decode, Encode, Question, Stream
from tokparity.reference.imitate import imitate
from tokparity.vectors.faults import Answers, Mutant
from tokparity.vectors.model import allows, answer_of
from tokparity.vectors.rights import right_of

_EACH = 3
"""Questions of each fault that are made smaller."""
_ATTEMPTS = 400
_SMALL = 6
"""Bytes of a text, or twice the ids of a row, that need not be made smaller."""


def smaller(answers: Answers, mutant: Mutant) -> list[Question]:
    """Return the shortest questions that show a fault, each as short as possible while it still shows the fault."""
    shortest = sorted(answers.wrong[mutant.name], key=lambda question: question.order)[:_EACH]
    built = answers.built(mutant)

    def is_wrong(question: Question) -> bool:
        right = right_of(answers.tokenizer, question)
        return right is not None and not allows(right, answer_of(imitate(built, question)))

    return [_shrunk(question, lambda questions: [is_wrong(one) for one in questions]) for question in shortest]


def _shrunk(question: Question, shows: Callable[[Sequence[Question]], Sequence[bool]]) -> Question:
    if isinstance(question, Decode | Stream):
        return question.fewer(shows, _ATTEMPTS) if len(question.ids) > _SMALL // 2 else question
    if isinstance(question, Encode) and len(question.text) > _SMALL:
        return question.shrunk(shows, _ATTEMPTS)
    return question
