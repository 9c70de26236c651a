"""Variants of a model with a known quirk of its normaliser that shows on some characters only."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby

from tokparity.behaviour import Normalise
from tokparity.diagnose.base import Base
from tokparity.diagnose.seen import Asking
from tokparity.diagnose.separate.characters import members
from tokparity.diagnose.separate.classes import CharacterClass
from tokparity.diagnose.separate.one_by_one import sorts_of, told
from tokparity.diagnose.trial import Variant, ids_by
from tokparity.quirk import Quirk
from tokparity.reference.tokenizer import Tokenizer

_FEWEST = 2
_TEXTS, _LONGEST = 100, 4


def conditional_characters(quirk: Quirk, asking: Asking, base: Base) -> Iterator[Variant]:
    """The variants with one quirk of normalisation, each for a sort of characters."""
    flipped = quirk.flip(base.behaviour)
    if flipped.normalise == base.behaviour.normalise:
        return

    def otherwise(holds: Callable[[str], bool]) -> Tokenizer:
        normalise = _for_some(holds, flipped.normalise, base.behaviour.normalise)
        return base.tokenizer.with_behaviour(replace(base.behaviour, normalise=normalise))

    done, spared = told(otherwise, asking)
    if min(len(done), len(spared)) < _FEWEST:
        return
    for sort in sorts_of(done, spared):
        tokenizer = otherwise(sort.holds)
        ids = partial(ids_by, tokenizer)
        says = f"with {quirk.name}, but only for {sort.says}"
        yield Variant(says, ids, list(_made(sort, done, spared)), replace(base, behaviour=tokenizer.behaviour))


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
