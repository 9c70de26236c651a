"""Runs a model word by word, to predict the ids if the engine treats some words differently."""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass, field, replace
from itertools import product

from tokparity.behaviour import Behaviour, Segmenter, Trace
from tokparity.diagnose.base import Base
from tokparity.diagnose.evidence import Observation
from tokparity.diagnose.limits.texts import WORDS_AT_ONCE
from tokparity.diagnose.separate.conditions import Place
from tokparity.outcome import Encoding
from tokparity.questions import Encode
from tokparity.vocabulary import Vocabulary

WordIds = Callable[[str], Sequence[int]]
"""The ids of a word, as the segmenter is given it."""


@dataclass(frozen=True, eq=False)
class _Noting:
    """A segmenter that gives each word a number of its own, below 0, instead of its ids."""

    words: list[str] = field(default_factory=list)

    def __call__(self, vocabulary: Vocabulary, behaviour: Behaviour) -> Segmenter:
        return self._segment

    def _segment(self, word: str, trace: Trace | None = None) -> list[int]:
        self.words.append(word)
        return [-len(self.words)]


class WordByWord:
    """The words of texts as one model's segmenter is given them."""

    def __init__(self, base: Base) -> None:
        self._base, self._noting = base, _Noting()
        # Ids beyond a capacity cannot be counted where each word has one.
        behaviour = replace(base.behaviour, segment=self._noting, capacity=None)
        self._tokenizer = base.tokenizer.with_behaviour(behaviour)
        self._parts: dict[Encode, list[int | str]] = {}
        self.nouns = "words" if base.behaviour.pretokenise else "stretches of text"

    def parts(self, question: Encode) -> list[int | str]:
        """The words of a question, and the ids of what is around and between them."""
        if question not in self._parts:
            row = self._tokenizer.encode(question.text, question.add_special, question.parse_special)
            self._parts[question] = [i if i >= 0 else self._noting.words[-i - 1] for i in row]
        return self._parts[question]

    def right(self, word: str) -> Sequence[int]:
        """The right ids of a word."""
        return self._base.tokenizer.word_ids(word)

    def ids(self, question: Encode, other: WordIds, holds: Callable[[Place], bool]) -> list[int]:
        """The ids if all words that fulfill a condition are tokenized differently."""
        places = {at: place for at, place in self.places(question) if holds(place)}
        return self._joined(question, other, places)

    def places(self, question: Encode) -> list[tuple[int, Place]]:
        """The words with where they stand among the parts."""
        parts = self.parts(question)
        at = [i for i, part in enumerate(parts) if isinstance(part, str)]
        flags = question.add_special, question.parse_special
        return [(i, Place(str(parts[i]), *flags, i == at[0], i == at[-1])) for i in at]

    def shown(self, seen: Observation, other: WordIds) -> list[tuple[Place, bool]]:
        """The words whose ids would be others, each with whether the engine gave the others; none where ids do not
        show it."""
        question = seen.question
        if not isinstance(question, Encode) or not isinstance(seen.actual, Encoding):
            return []
        places = [
            (at, one) for at, one in self.places(question) if tuple(other(one.text)) != tuple(self.right(one.text))
        ]
        if not 0 < len(places) <= WORDS_AT_ONCE:
            return []
        fits = [
            chosen
            for chosen in product((False, True), repeat=len(places))
            if tuple(self._joined(question, other, {at for (at, _), it in zip(places, chosen, strict=True) if it}))
            == seen.actual.ids
        ]
        return [(one, it) for (_, one), it in zip(places, fits[0], strict=True)] if len(fits) == 1 else []

    def _joined(self, question: Encode, other: WordIds, otherwise: Container[int]) -> list[int]:
        joined: list[int] = []
        for at, part in enumerate(self.parts(question)):
            if isinstance(part, int):
                joined.append(part)
            else:
                joined += (other if at in otherwise else self.right)(part)
        return joined
