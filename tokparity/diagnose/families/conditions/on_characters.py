"""Models with a known quirk of the normalizer that appears only for some characters."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import groupby

from tokparity.behaviour import Behaviour, Normalise
from tokparity.diagnose.facts import Facts
from tokparity.diagnose.hypothesis import Variant
from tokparity.diagnose.limits.families import FEWEST
from tokparity.diagnose.probes import mixed
from tokparity.diagnose.separate.characters import members
from tokparity.diagnose.separate.one_by_one import sorts_of, told
from tokparity.quirk import Quirk


def conditional_characters(quirk: Quirk, facts: Facts) -> Iterator[Variant]:
    """The variants with one quirk of normalization, each for a sort of characters."""
    own = facts.base.behaviour
    flipped = quirk.flip(own)
    if flipped.normalise == own.normalise:
        return

    def otherwise(holds: Callable[[str], bool]) -> Behaviour:
        return replace(own, normalise=_for_some(holds, flipped.normalise, own.normalise))

    done, spared = told(lambda holds: facts.tokenizer(otherwise(holds)), facts.asking)
    if min(len(done), len(spared)) < FEWEST:
        return
    for sort in sorts_of(done, spared):
        says = f"with {quirk.name}, but only for {sort.says}"
        yield facts.with_behaviour(says, otherwise(sort.holds), mixed([*members(sort), *done], [*spared, "a", " "]))


def _for_some(holds: Callable[[str], bool], one: Normalise | None, other: Normalise | None) -> Normalise:
    """A normalizer that does one thing to characters of a sort and another to what stands between them."""

    def normalise(text: str) -> str:
        return "".join(_done(one if of_sort else other, "".join(run)) for of_sort, run in groupby(text, holds))

    return normalise


def _done(normalise: Callable[[str], str] | None, text: str) -> str:
    return normalise(text) if normalise else text
