"""Variants of a model whose pre-tokeniser takes some characters for others: for letters, digits, punctuation, spaces.

So does one that has the tables of another version of Unicode, or asks for a category where a property is meant. The
reference cuts words as if another character stood in their place; characters put to the engine one by one, between
others, show for which it is so.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from tokparity.behaviour import Pretokenise
from tokparity.diagnose.base import Base
from tokparity.diagnose.seen import Asking, Seen
from tokparity.diagnose.separate.characters import members
from tokparity.diagnose.separate.classes import CharacterClass
from tokparity.diagnose.separate.one_by_one import sorts_of, told
from tokparity.diagnose.trial import Variant, ids_by
from tokparity.questions import Encode
from tokparity.reference.tokenizer import Tokenizer

_STAND_INS = {"a letter": "a", "a digit": "1", "a punctuation mark": "!", "white space": " ", "a line break": "\n"}
_LONGEST = 40
"""Characters of a text in which each may be taken for another."""

_FEWEST, _TEXTS, _WORD = 2, 100, 5
_AMONG = ("a", "b", " ", "1", ".", "-", "é", "\n", "世")


def taken_for(against: Seen, asking: Asking, base: Base) -> Iterator[Variant]:
    """The variants that answer as something was answered that the `base` foretells wrongly."""
    original = base.behaviour.pretokenise
    if original is None or not isinstance(against.question, Encode) or len(against.spelled) > _LONGEST:
        return
    for says, stand_in in _STAND_INS.items():
        for own in dict.fromkeys(against.spelled):
            if own == stand_in or not asking.can:
                continue
            alone = _tokenizer(base, stand_in, own.__eq__)
            if ids_by(alone, against.question) == getattr(against.actual, "ids", None):
                yield from _variants(says, stand_in, asking, base)
                break


def _variants(says: str, stand_in: str, asking: Asking, base: Base) -> Iterator[Variant]:
    """The variants for all sorts of characters that tell those that are taken for another from the others."""
    done, spared = told(partial(_tokenizer, base, stand_in), asking)
    if len(done) < _FEWEST:
        return
    for sort in sorts_of(done, spared):
        tokenizer = _tokenizer(base, stand_in, sort.holds)
        ids, texts = partial(ids_by, tokenizer), list(_made(sort, done, spared))
        yield Variant(f"that takes {sort.says} for {says}", ids, texts, replace(base, behaviour=tokenizer.behaviour))


def _tokenizer(base: Base, stand_in: str, holds: Callable[[str], bool]) -> Tokenizer:
    assert base.behaviour.pretokenise is not None
    pretokenise = _with(base.behaviour.pretokenise, holds, stand_in)
    return base.tokenizer.with_behaviour(replace(base.behaviour, pretokenise=pretokenise))


def _with(original: Pretokenise, holds: Callable[[str], bool], stand_in: str) -> Pretokenise:
    """The pre-tokeniser that cuts a text as the original cuts it with a stand-in for characters that hold."""

    def pretokenise(text: str, at_start: bool) -> Sequence[str]:
        instead = "".join(stand_in if holds(character) else character for character in text)
        if instead == text:
            return original(text, at_start)
        words, at = [], 0
        for word in original(instead, at_start):
            start = instead.find(word, at)
            if start < 0:
                return original(text, at_start)  # it does more than cut
            at = start + len(word)
            words.append(text[start:at])
        return words

    return pretokenise


def _made(sort: CharacterClass, done: Sequence[str], spared: Sequence[str]) -> Iterator[str]:
    """Texts with characters of either side, among others."""
    rng = random.Random(0)
    some = [*members(sort), *done], _AMONG, [*spared, *_AMONG]
    for _ in range(_TEXTS):
        yield "".join(rng.choice(rng.choice(some)) for _ in range(rng.randint(2, _WORD)))
