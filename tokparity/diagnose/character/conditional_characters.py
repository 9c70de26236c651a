"""Variants of a model with a known quirk of its normaliser that shows on some characters only.

Each character is put to the engine alone: its ids are the right ones or those of the quirk. What tells the characters
for which it has it from the others is the condition.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby

from tokparity.behaviour import Normalise
from tokparity.diagnose.character.characters import members, universe
from tokparity.diagnose.character.classes import CharacterClass, classes, telling
from tokparity.diagnose.character.seen import Asking
from tokparity.diagnose.character.variants import Variant, ids_by
from tokparity.diagnose.hypothesis import Base
from tokparity.outcome import Encoding
from tokparity.questions import Encode
from tokparity.quirk import Quirk

_ASKED = 4000
_FEWEST, _SORTS = 2, 3
_TEXTS, _LONGEST = 100, 4


def conditional_characters(quirk: Quirk, asking: Asking, base: Base) -> Iterator[Variant]:
    """The variants with one quirk of normalisation, each for a sort of characters."""
    flipped = quirk.flip(base.behaviour)
    if flipped.normalise == base.behaviour.normalise:
        return
    plain = asking.with_flags(False, False)
    done, spared = _told(list(universe()), plain, base, flipped.normalise)
    if min(len(done), len(spared)) < _FEWEST:
        return
    sorts = [one for one in classes() if all(map(one.holds, done)) and not any(map(one.holds, spared))]
    found = telling(done, spared)
    for sort in {one.says: one for one in (*([found] if found else []), *sorts)[:_SORTS]}.values():
        normalise = _for_some(sort, flipped.normalise, base.behaviour.normalise)
        behaviour = replace(base.behaviour, normalise=normalise)
        ids = partial(ids_by, base.tokenizer.with_behaviour(behaviour))
        says = f"with {quirk.name}, but only for {sort.says}"
        yield Variant(says, ids, list(_made(sort, done, spared)), replace(base, behaviour=behaviour))


def _told(
    characters: Sequence[str], asking: Asking, base: Base, normalise: Normalise | None
) -> tuple[list[str], list[str]]:
    """The characters for which the engine has the quirk, and those for which it has not."""
    tokenizer = base.tokenizer.with_behaviour(replace(base.behaviour, normalise=normalise))
    asking.allow(_ASKED)
    asking.wrong(characters)
    done, spared = [], []
    for character in characters:
        seen = asking.seen.get(character)
        if seen is None or not isinstance(seen.actual, Encoding) or not isinstance(seen.question, Encode):
            continue
        other = ids_by(tokenizer, seen.question)
        if other is not None and tuple(other) != seen.ids:
            if seen.actual.ids == tuple(other):
                done.append(character)
            elif seen.actual.ids == seen.ids:
                spared.append(character)
    return done, spared


def _for_some(sort: CharacterClass, one: Normalise | None, other: Normalise | None) -> Normalise:
    """A normaliser that does one thing to characters of a sort and another to what stands between them."""

    def normalise(text: str) -> str:
        return "".join(_done(one if of_sort else other, "".join(run)) for of_sort, run in groupby(text, sort.holds))

    return normalise


def _done(normalise: Callable[[str], str] | None, text: str) -> str:
    return normalise(text) if normalise else text


def _made(sort: CharacterClass, done: Sequence[str], spared: Sequence[str]) -> Iterator[str]:
    """Texts with characters of either side."""
    rng = random.Random(0)
    some = [*members(sort), *done], [*spared, "a", " "]
    for _ in range(_TEXTS):
        yield "".join(rng.choice(rng.choice(some)) for _ in range(rng.randint(1, _LONGEST)))
