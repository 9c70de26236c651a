"""A quirk that acts only in some words or texts of an engine."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from tokparity.behaviour import Stage
from tokparity.diagnose.base import Base
from tokparity.diagnose.evidence import Observation
from tokparity.diagnose.hypothesis import ids_by
from tokparity.diagnose.separate.conditions import Condition, Place
from tokparity.diagnose.word_by_word import WordByWord, WordIds
from tokparity.outcome import Encoding
from tokparity.questions import Encode
from tokparity.quirk import Quirk
from tokparity.reference.tokenizer import Tokenizer

_NONE_GIVES = (-2,)
"""Ids that no engine gives."""


def partly(quirk: Quirk, base: Base, words: WordByWord) -> Partly | None:
    """The quirk in part; None where it does not fit the model."""
    try:
        flipped = base.tokenizer.with_behaviour(quirk.flip(base.behaviour))
    except Exception:  # one that does not fit may raise anything
        return None
    if quirk.stage == Stage.MODEL:
        return _OfWords(words, _word_ids(flipped))
    return _OfTexts(base.tokenizer, flipped)


def _word_ids(tokenizer: Tokenizer) -> WordIds:
    def ids(word: str) -> Sequence[int]:
        try:
            return tokenizer.word_ids(word)
        except Exception:  # as above
            return _NONE_GIVES

    return ids


class Partly(ABC):
    """A quirk that an engine may have in some places and not in others."""

    nouns: str

    @abstractmethod
    def shown(self, seen: Observation) -> list[tuple[Place, bool]]:
        """The places where it would change something, each with whether the engine has it there."""

    @abstractmethod
    def ids(self, condition: Condition, question: Encode) -> Sequence[int] | None:
        """The ids of an engine that has it where a condition holds."""


class _OfWords(Partly):
    """A quirk of how words become ids."""

    def __init__(self, words: WordByWord, other: WordIds) -> None:
        self._words, self._other, self.nouns = words, other, words.nouns

    def shown(self, seen: Observation) -> list[tuple[Place, bool]]:
        """The words that show it."""
        return self._words.shown(seen, self._other)

    def ids(self, condition: Condition, question: Encode) -> Sequence[int] | None:
        """Word by word."""
        return self._words.ids(question, self._other, condition.holds)


class _OfTexts(Partly):
    """A quirk of anything else."""

    nouns = "texts"

    def __init__(self, right: Tokenizer, flipped: Tokenizer) -> None:
        self._right, self._flipped = right, flipped

    def shown(self, seen: Observation) -> list[tuple[Place, bool]]:
        """The text itself, if it shows it."""
        question, actual = seen.question, seen.actual
        if not isinstance(question, Encode) or not isinstance(actual, Encoding):
            return []
        other = ids_by(self._flipped, question)
        if other is None or tuple(other) == seen.ids or actual.ids not in (seen.ids, tuple(other)):
            return []
        return [(_place(question), actual.ids != seen.ids)]

    def ids(self, condition: Condition, question: Encode) -> Sequence[int] | None:
        """Text by text."""
        return ids_by(self._flipped if condition.holds(_place(question)) else self._right, question)


def _place(question: Encode) -> Place:
    return Place(question.text.decode("utf-8", "surrogateescape"), question.add_special, question.parse_special)
