"""A set of quirks put in the reference, and whether it then gives what an engine gave on a generated model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from tokparity import quirks
from tokparity.case import AnyCase
from tokparity.errors import AbortedError
from tokparity.finding import Control, Mismatch
from tokparity.outcome import Encoding, Failure
from tokparity.questions import Encode
from tokparity.session.in_process import answers

if TYPE_CHECKING:
    from tokparity.reference.tokenizer import Tokenizer

Cause = tuple[str, ...]
"""The names of the quirks that give what the engine gave; empty where nothing known does."""


class Why:
    """The causes that hold for one engine on one model; what behaves like that is built when it is asked for."""

    def __init__(self, tokenizer: Tokenizer, causes: Sequence[Cause]) -> None:
        self.causes = tuple(causes)
        self._tokenizer = tokenizer
        self._flipped: dict[Cause, Tokenizer | None] = {}

    def cause(self, mismatch: Mismatch) -> Cause:
        """The first cause that gives what the engine gave."""
        return next((cause for cause in self.causes if self.gives(cause, mismatch)), ())

    def gives(self, cause: Cause, mismatch: Mismatch) -> bool:
        """Whether the model with these quirks gives what the engine gave."""
        like = self._like(cause)
        return like is not None and gives(like, mismatch)

    def leaves(self, cause: Cause, right: Sequence[Control]) -> bool:
        """Whether these quirks leave all alone that the engine was right on."""
        like = self._like(cause)
        return like is not None and all(same(like, control) for control in right)

    def touches(self, cause: Cause, mismatch: Mismatch) -> bool:
        """Whether these quirks change anything about the case."""
        like = self._like(cause)
        return like is not None and not gives(like, replace(mismatch, actual=mismatch.expected))

    def _like(self, cause: Cause) -> Tokenizer | None:
        if cause not in self._flipped:
            try:
                self._flipped[cause] = flipped(self._tokenizer, cause)
            except Exception:  # a flip that does not fit the model may raise anything
                self._flipped[cause] = None
        return self._flipped[cause]


def flipped(tokenizer: Tokenizer, cause: Cause) -> Tokenizer:
    """The tokenizer with these quirks; whatever error a quirk raises that does not fit it."""
    return tokenizer.with_behaviour(quirks.flip_all([quirks.get(name) for name in cause], tokenizer.behaviour))


def gives(tokenizer: Tokenizer, mismatch: Mismatch) -> bool:
    """Whether the tokenizer does what the engine did: the ids, and where these were right, what they decode to."""
    actual, case = mismatch.actual, mismatch.case
    if isinstance(actual, Failure):
        return dies(tokenizer, case)
    outcome = answers(tokenizer, [case], skip_special=True).outcome(0)
    if not isinstance(outcome, Encoding) or not isinstance(actual, Encoding) or outcome.ids != actual.ids:
        return False
    return mismatch.difference.aspect == "ids" or outcome.decoded == actual.decoded


def same(tokenizer: Tokenizer, control: Control) -> bool:
    """Whether the tokenizer gives what the engine was right to give."""
    outcome = answers(tokenizer, [control.case], skip_special=True).outcome(0)
    expected = control.outcome
    if not isinstance(outcome, Encoding) or not isinstance(expected, Encoding) or outcome.ids != expected.ids:
        return False
    return expected.decoded is None or outcome.decoded == expected.decoded


def dies(tokenizer: Tokenizer, case: AnyCase) -> bool:
    """Whether a quirk stands for a crash of this case. Whatever else it may raise where it does not fit is none."""
    question = case.question
    if not isinstance(question, Encode):
        return False
    try:
        tokenizer.encode(question.text, question.add_special, question.parse_special)
    except AbortedError:
        return True
    except Exception:
        return False
    return False
