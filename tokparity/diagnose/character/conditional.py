"""Variants of a model with a known quirk that shows on some texts, words or characters only.

Where a quirk would change an answer, the engine's shows whether it has it there. What tells the places where it has it
from those where it has not is the condition; an edge in between is found by asking for it.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property, partial

from tokparity.behaviour import Stage
from tokparity.diagnose.character.conditional_characters import conditional_characters
from tokparity.diagnose.character.conditions import MEASURES, Condition, Place, between, conditions
from tokparity.diagnose.character.seen import Asking, Seen
from tokparity.diagnose.character.variants import Variant, ids_by
from tokparity.diagnose.character.word_by_word import WordByWord, WordIds
from tokparity.diagnose.hypothesis import Base
from tokparity.diagnose.limits import Limits
from tokparity.diagnose.reduce import ReducedModel, reduced
from tokparity.outcome import Encoding, Outcome
from tokparity.questions import Encode
from tokparity.quirk import Quirk
from tokparity.quirks import all_quirks
from tokparity.reference.tokenizer import Tokenizer

_SEEN = 200
_SHOWING = 8
"""Mismatches, the small ones, of which one must show a quirk."""

_FEWEST = 2
_ROUNDS, _STEPS, _EACH = 4, 6, 4
"""So often an edge is narrowed, by texts of so many lengths, so many of each."""

_CUT = 30
_NONE_GIVES = (-2,)
"""Ids that no engine gives."""

_TEXTS = 60


class Conditional:
    """The quirks that an engine may have in part, as its mismatches show; looked for when they are first asked for."""

    def __init__(self, base: Base, failing: Sequence[Seen]) -> None:
        self._base = base
        # Small ones, which show one thing each, but not all from the same end.
        self._some = [seen for seen in failing if isinstance(seen.question, Encode)][: _SHOWING * 4 : 4]

    @cached_property
    def _quirks(self) -> Sequence[Quirk]:
        return list(_showing(self._some, self._base)) if self._some else []

    def variants(self, failing: Sequence[Seen], right: Sequence[Seen], asking: Asking) -> Iterator[Variant]:
        """The model with each of them, with conditions that hold for all that was seen."""
        words = WordByWord(self._base)
        for quirk in self._quirks:
            if not asking.can:
                return
            if quirk.field == "normalise":
                yield from conditional_characters(quirk, asking, self._base)
            partly = _partly(quirk, self._base, words)
            if partly is not None:
                yield from _Search(partly, asking, [*failing[:_SEEN], *right[:_SEEN]]).variants(quirk)


def _showing(some: Sequence[Seen], base: Base) -> Iterator[Quirk]:
    """The quirks that at least one mismatch shows, found with a model of no more pieces than these texts need."""
    quirks = [quirk for quirk in all_quirks() if quirk.stage != Stage.DECODING]
    small = reduced([base], [seen.question.shown for seen in some], quirks, Limits())
    found = [_renumbered(seen, small) for seen in some]
    words = WordByWord(small.bases[0])
    for quirk in quirks:
        if quirk.flip(base.behaviour) != base.behaviour:
            partly = _partly(quirk, small.bases[0], words)
            if partly is not None and any(shows for seen in found for _, shows in partly.shown(seen)):
                yield quirk


def _renumbered(seen: Seen, small: ReducedModel) -> Seen:
    """What was seen, in the ids of a small model."""

    def renumbered(outcome: Outcome) -> Outcome:
        return Encoding(tuple(map(int, small.answer(outcome.ids)))) if isinstance(outcome, Encoding) else outcome

    return replace(seen, expected=renumbered(seen.expected), actual=renumbered(seen.actual))


def _partly(quirk: Quirk, base: Base, words: WordByWord) -> _Partly | None:
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


class _Partly(ABC):
    """A quirk that an engine may have in some places and not in others."""

    nouns: str

    @abstractmethod
    def shown(self, seen: Seen) -> list[tuple[Place, bool]]:
        """The places where it would change something, each with whether the engine has it there."""

    @abstractmethod
    def ids(self, condition: Condition, question: Encode) -> Sequence[int] | None:
        """The ids of an engine that has it where a condition holds."""


class _OfWords(_Partly):
    """A quirk of how words become ids."""

    def __init__(self, words: WordByWord, other: WordIds) -> None:
        self._words, self._other, self.nouns = words, other, words.nouns

    def shown(self, seen: Seen) -> list[tuple[Place, bool]]:
        """The words that show it."""
        return self._words.shown(seen, self._other)

    def ids(self, condition: Condition, question: Encode) -> Sequence[int] | None:
        """Word by word."""
        return self._words.ids(question, self._other, condition.holds)


class _OfTexts(_Partly):
    """A quirk of anything else."""

    nouns = "texts"

    def __init__(self, right: Tokenizer, flipped: Tokenizer) -> None:
        self._right, self._flipped = right, flipped

    def shown(self, seen: Seen) -> list[tuple[Place, bool]]:
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


class _Search:
    """Where an engine has one quirk."""

    def __init__(self, partly: _Partly, asking: Asking, seen: Sequence[Seen]) -> None:
        self._partly, self._asking = partly, asking
        self._places: dict[Place, bool] = {}
        self._contradicted = False
        self._note(seen)

    def variants(self, quirk: Quirk) -> Iterator[Variant]:
        """The quirk with each condition that all places obey."""
        shown, spared = self._of(True), self._of(False)
        if min(_different(shown), _different(spared)) < _FEWEST or self._contradicted:
            return
        for unit in MEASURES:
            self._narrow(unit)
        if self._contradicted:
            return
        shown, spared = self._of(True), self._of(False)
        rng = random.Random(0)
        some = [rng.sample(places, min(_TEXTS, len(places))) for places in (shown, spared)]
        texts = list(dict.fromkeys(place.text for places in some for place in places))
        for condition in conditions(self._partly.nouns, shown, spared):
            yield Variant(f"with {quirk.name}, but only {condition.says}", partial(self._partly.ids, condition), texts)

    def _of(self, shows: bool) -> list[Place]:
        return [place for place, it in self._places.items() if it == shows]

    def _note(self, some: Sequence[Seen]) -> None:
        for seen in some:
            for place, shows in self._partly.shown(seen):
                self._contradicted |= self._places.setdefault(place, shows) != shows

    def _narrow(self, unit: str) -> None:
        """Ask for texts of the lengths of which it is not known on which side of the edge they are."""
        measure, rng = MEASURES[unit], random.Random(0)
        for _ in range(_ROUNDS):
            shown, spared = self._of(True), self._of(False)
            open_lengths = between(unit, shown, spared)
            chosen = {open_lengths[i * len(open_lengths) // _STEPS] for i in range(_STEPS)} if open_lengths else set()
            some = [place.text for place in (*shown[:_CUT], *spared[:_CUT])]
            parts = [text[:end] for text in some for end in range(1, len(text))]
            parts = [text for text in dict.fromkeys(parts) if text not in self._asking.seen]
            texts = []
            for length in sorted(chosen):
                longer = [text + "a" * (length - measure(text)) for text in some if measure(text) < length]
                fitting = [text for text in (*parts, *longer) if measure(text) == length]
                texts += rng.sample(fitting, min(_EACH, len(fitting)))
            if not texts or not self._asking.can:
                return
            self._asking.allow(len(texts))
            self._asking.wrong(texts)
            self._note([seen for text in texts if (seen := self._asking.seen.get(text)) is not None])


def _different(places: Sequence[Place]) -> int:
    return len({place.text for place in places})


def _place(question: Encode) -> Place:
    return Place(question.text.decode("utf-8", "surrogateescape"), question.add_special, question.parse_special)
