"""Models whose pre-tokenizer treats some characters as others: as letters, digits, punctuation or spaces.

A model with tables of another Unicode version does so, or one that tests a category instead of a property. The
reference cuts words as if another character were there. The engine is run on single characters between others to
find out for which characters this holds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from tokparity.behaviour import Behaviour, Pretokenise
from tokparity.diagnose.facts import Facts
from tokparity.diagnose.hypothesis import Variant, ids_by
from tokparity.diagnose.limits.families import FEWEST
from tokparity.diagnose.limits.texts import LONGEST_TAKEN_FOR
from tokparity.diagnose.probes import mixed
from tokparity.diagnose.separate.characters import members
from tokparity.diagnose.separate.names import named
from tokparity.diagnose.separate.one_by_one import sorts_of, told
from tokparity.reference.tokenizer import Tokenizer

_STAND_INS = {"a letter": "a", "a digit": "1", "a punctuation mark": "!", "white space": " ", "a line break": "\n"}

_AMONG = ("a", "b", " ", "1", ".", "-", "é", "\n", "世")


def taken_for(facts: Facts) -> Iterator[Variant]:
    """The variants that answer as something was answered that the model predicts wrongly."""
    against = facts.against
    if facts.base.behaviour.pretokenise is None or not facts.is_text or len(against.spelled) > LONGEST_TAKEN_FOR:
        return
    for says, stand_in in _STAND_INS.items():
        for own in dict.fromkeys(against.spelled):
            if own == stand_in or not facts.asking.can:
                continue
            alone = _tokenizer(facts, stand_in, own.__eq__)
            if ids_by(alone, facts.question) == getattr(against.actual, "ids", None):
                yield from _variants(says, stand_in, facts)
                break


def _variants(says: str, stand_in: str, facts: Facts) -> Iterator[Variant]:
    """The variants for all sorts of characters that tell those that are taken for another from the others."""
    done, spared = told(partial(_tokenizer, facts, stand_in), facts.asking)
    if len(done) < FEWEST:
        return
    for sort in sorts_of(done, spared):
        behaviour, texts = (
            _behaviour(facts, stand_in, sort.holds),
            mixed([*members(sort), *done], _AMONG, [*spared, *_AMONG], least=2),
        )
        beyond = f", also where the model does not, as for {named(done[0])}" if sort.holds(stand_in) else ""
        yield facts.with_behaviour(f"that takes {sort.says} for {says}{beyond}", behaviour, texts)


def _tokenizer(facts: Facts, stand_in: str, holds: Callable[[str], bool]) -> Tokenizer:
    return facts.tokenizer(_behaviour(facts, stand_in, holds))


def _behaviour(facts: Facts, stand_in: str, holds: Callable[[str], bool]) -> Behaviour:
    own = facts.base.behaviour
    return own if own.pretokenise is None else replace(own, pretokenise=_with(own.pretokenise, holds, stand_in))


def _with(original: Pretokenise, holds: Callable[[str], bool], stand_in: str) -> Pretokenise:
    """The pre-tokenizer that cuts a text as the original cuts it with a stand-in for characters that hold."""

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
