"""What an engine that behaves like a reference tokenizer would answer: an Encoding, or a Failure, never an exception.

A quirk that stands for a crash raises AbortedError, which is a crash. A quirk that does not fit a model (Viterbi
without scores) may raise anything at all, which is an error; such an engine could not be run.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from tokparity.behaviour import Behaviour
from tokparity.errors import AbortedError
from tokparity.outcome import Encoding, Failure, Outcome
from tokparity.reference.tokenizer import Tokenizer
from tokparity.vocabulary import Vocabulary


class Question(Protocol):
    """A text and how it is to be encoded."""

    @property
    def text(self) -> bytes:
        """The text, whatever bytes it is made of."""
        ...

    @property
    def add_special(self) -> bool:
        """Whether BOS, EOS and the like are asked for."""
        ...

    @property
    def parse_special(self) -> bool:
        """Whether special tokens that are spelled in the text are to be recognised."""
        ...


def imitate(tokenizer: Tokenizer | Callable[[], Tokenizer], question: Question, decodes: bool = False) -> Outcome:
    """The ids of a text, and if asked what they decode to without special tokens.

    `tokenizer` may be a function that builds it: what it raises is the outcome as well.
    """
    try:
        built = tokenizer if isinstance(tokenizer, Tokenizer) else tokenizer()
        ids = built.encode(question.text, question.add_special, question.parse_special)
        return Encoding(tuple(ids), built.decode(ids, skip_special=True) if decodes else None)
    except Exception as error:  # a behaviour that does not fit the model may raise anything
        return _failure(error)


def imitate_decoding(vocabulary: Vocabulary, behaviour: Behaviour, ids: Sequence[int]) -> Outcome:
    """What ids decode to; only `behaviour.skip_special` says whether special tokens are left out.

    No tokenizer is built, for decoding needs none.
    """
    try:
        return Encoding(tuple(ids), behaviour.decode(vocabulary, behaviour, ids))
    except Exception as error:  # as above
        return _failure(error)


def _failure(error: Exception) -> Failure:
    if isinstance(error, AbortedError):
        return Failure("crash", error.message)
    return Failure("error", f"{type(error).__name__}: {error}")
