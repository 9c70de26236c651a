"""Variants of a model with a known quirk of its normaliser that shows on some characters only."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from tokparity.behaviour import Behaviour, Normalise
from tokparity.diagnose.facts import Facts
from tokparity.diagnose.hypothesis import Variant
from tokparity.diagnose.separate.characters import members
from tokparity.diagnose.separate.classes import CharacterClass
from tokparity.diagnose.separate.one_by_one import sorts_of, told
from tokparity.quirk import Quirk

_FEWEST = 2
_TEXTS, _LONGEST = 100, 4


def conditional_characters(quirk: Quirk, facts: Facts) -> Iterator[Variant]:
    """The variants with one quirk of normalisation, each for a sort of characters."""
    own = facts.base.behaviour
    flipped = quirk.flip(own)
    if flipped.normalise == own.normalise:
        return

    def otherwise(holds: Callable[[str], bool]) -> Behaviour:
        return replace(own, normalise=_for_some(holds, flipped.normalise, own.normalise))

    done, spared = told(lambda holds: facts.tokenizer(otherwise(holds)), facts.asking)
    if min(len(done), len(spared)) < _FEWEST:
        return
    for sort in sorts_of(done, spared):
        says = f"with {quirk.name}, but only for {sort.says}"
        yield facts.with_behaviour(says, otherwise(sort.holds), list(_made(sort, done, spared)))


def _for_some(holds: Callable[[str], bool], one: Normalise | None, other: Normalise | None) -> Normalise:
    """A normaliser that does one thing to characters of a sort and another to what stands between them."""

    def normalise(text: str) -> str:
        return "".join(_done(one if of_sort else other, "".join(run)) for of_sort, run in groupby(text, holds))

    return normalise


def _done(normalise: Callable[[str], str] | None, text: str) -> str:
    return normalise(text) if normalise else text


def _made(sort: CharacterClass, done: Sequence[str], spared: Sequence[str]) -> Iterator[str]:
    """Texts with characters of either side."""
    rng = random.Random(0)
    some = [*members(sort), *done], [*spared, "a", " "]
    for _ in range(_TEXTS):
        yield "".join(rng.choice(rng.choice(some)) for _ in range(rng.randint(1, _LONGEST)))
