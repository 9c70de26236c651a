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
from tokparity.diagnose.character.characters import members, universe
from tokparity.diagnose.character.classes import CharacterClass, classes, telling
from tokparity.diagnose.character.seen import Asking, Seen
from tokparity.diagnose.character.variants import Variant, ids_by
from tokparity.diagnose.hypothesis import Base
from tokparity.outcome import Encoding
from tokparity.questions import Encode
from tokparity.reference.tokenizer import Tokenizer

_STAND_INS = {"a letter": "a", "a digit": "1", "a punctuation mark": "!", "white space": " ", "a line break": "\n"}
_BETWEEN = ("a{}a", "1{}1", ".{}.", " {}a")
_LONGEST = 40
"""Characters of a text in which each may be taken for another."""

_FEWEST, _SORTS, _TEXTS, _WORD = 2, 3, 100, 5
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
            alone = _tokenizer(base, own.__eq__, stand_in)
            if ids_by(alone, against.question) == getattr(against.actual, "ids", None):
                yield from _variants(says, stand_in, asking.with_flags(False, False), base)
                break


def _variants(says: str, stand_in: str, asking: Asking, base: Base) -> Iterator[Variant]:
    """The variants for all sorts of characters that tell those that are taken for another from the others."""
    done, spared = _told(stand_in, asking, base)
    if len(done) < _FEWEST:
        return
    sorts = [one for one in classes() if all(map(one.holds, done)) and not any(map(one.holds, spared))]
    found = telling(done, spared)
    for sort in {one.says: one for one in (*([found] if found else []), *sorts)[:_SORTS]}.values():
        tokenizer = _tokenizer(base, sort.holds, stand_in)
        ids, texts = partial(ids_by, tokenizer), list(_made(sort, done, spared))
        yield Variant(f"that takes {sort.says} for {says}", ids, texts, replace(base, behaviour=tokenizer.behaviour))


def _told(stand_in: str, asking: Asking, base: Base) -> tuple[list[str], list[str]]:
    """The characters that the engine takes for another, and those of which it is seen that it does not."""
    texts = {c: [between.format(c) for between in _BETWEEN] for c in universe() if c != stand_in}
    asking.allow(sum(map(len, texts.values())))
    asking.wrong([text for some in texts.values() for text in some])
    holding: set[str] = set()
    other, done, spared = _tokenizer(base, holding.__contains__, stand_in), [], []
    for character, some in texts.items():
        holding.clear()
        holding.add(character)
        found = {is_so for text in some if (is_so := _does(asking.seen.get(text), other)) is not None}
        if found == {True}:
            done.append(character)
        elif found == {False}:
            spared.append(character)
    return done, spared


def _does(seen: Seen | None, other: Tokenizer) -> bool | None:
    """Whether the ids are those of the other tokenizer, and not the right ones; None where these are the same."""
    if seen is None or not isinstance(seen.actual, Encoding) or not isinstance(seen.question, Encode):
        return None
    found = ids_by(other, seen.question)
    if found is None or tuple(found) == seen.ids or seen.actual.ids not in (tuple(found), seen.ids):
        return None
    return seen.actual.ids == tuple(found)


def _tokenizer(base: Base, holds: Callable[[str], bool], stand_in: str) -> Tokenizer:
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
