"""Models with a further normalization, before or after their own normalizer, or for parts of the text."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from itertools import groupby, product

from tokparity.behaviour import Behaviour, Normalise, Pretokenise
from tokparity.diagnose.facts import Facts
from tokparity.diagnose.hypothesis import Variant
from tokparity.diagnose.limits.texts import LONGEST_SHOWING
from tokparity.diagnose.probes import mixed
from tokparity.diagnose.separate.characters import members
from tokparity.diagnose.separate.classes import CharacterClass

Change = Callable[[str], str]


_WORDS = (
    "a", "I", "It", " the", "É", "é", "e\u0301", "ﬁ", "ß", "ſ", "İ", "ı", "Σας", "한", "각", "が", "か\u3099", "Ⅷ", "①",
    "ｱ", "ﾞ", "²", "ো", "क़", "Å", "½", "…", "\u00a0", "1", ".", "“x”", "—",
)  # fmt: skip


def _turkish(text: str) -> str:
    return text.replace("I", "ı").replace("İ", "i").lower()


_CHANGES: Mapping[str, Change] = {
    **{f"brings its text into {form}": partial(unicodedata.normalize, form) for form in ("NFC", "NFD", "NFKC", "NFKD")},
    "brings its text into lower case": str.lower,
    "brings its text into upper case": str.upper,
    "folds the case of its text": str.casefold,
    "brings its text into lower case as in Turkish": _turkish,
    "drops combining marks (Mn)": lambda text: "".join(c for c in text if unicodedata.category(c) != "Mn"),
    "drops format characters (Cf)": lambda text: "".join(c for c in text if unicodedata.category(c) != "Cf"),
    "drops control characters (Cc)": lambda text: "".join(c for c in text if unicodedata.category(c) != "Cc"),
}
"""In words that follow "that"."""


def normalised_further(facts: Facts) -> Iterator[Variant]:
    """The variants that answer as the smallest mismatch was answered."""
    smallest, own = facts.against, facts.base.behaviour
    if not facts.is_of_ids or len(smallest.spelled) > LONGEST_SHOWING:
        return
    decomposed = CharacterClass("", lambda c: bool(unicodedata.decomposition(c)) or c.lower() != c)
    texts = mixed([*_WORDS, *members(decomposed), smallest.spelled])  # they have more than one form
    for says, behaviour in (*_by_stretches(own), *_further(own)):
        variant = facts.with_behaviour(f"that {says}", behaviour, texts)
        if facts.shows(variant):
            yield variant


def _further(behaviour: Behaviour) -> Iterator[tuple[str, Behaviour]]:
    own = behaviour.normalise
    for (says, change), after in product(_CHANGES.items(), (False, True) if own is not None else (False,)):
        when = "" if own is None else " after its own normalizer" if after else " before its own normalizer"
        yield f"{says}{when}", replace(behaviour, normalise=_both(change, own, after))


def _by_stretches(behaviour: Behaviour) -> Iterator[tuple[str, Behaviour]]:
    """What the normalizer makes of parts of a text, each on its own."""
    own, pretokenise = behaviour.normalise, behaviour.pretokenise
    if own is None:
        return

    def one_by_one(text: str) -> str:
        return "".join(map(own, text))

    def between(text: str) -> str:
        parts = groupby(text, lambda character: own(character) == character)
        return "".join(own(stretch) if stays else stretch for stays, part in parts for stretch in ("".join(part),))

    yield "normalizes each character by itself", replace(behaviour, normalise=one_by_one)
    yield (
        "leaves the characters that its normalizer would change alone as they are",
        replace(behaviour, normalise=between),
    )
    if pretokenise is not None:
        after = replace(behaviour, normalise=None, pretokenise=_then(pretokenise, own))
        yield "cuts words first and then normalizes each of them", after


def _then(pretokenise: Pretokenise, normalise: Normalise) -> Pretokenise:
    return lambda text, at_start: [normalise(word) for word in pretokenise(text, at_start)]


def _both(change: Change, own: Normalise | None, after: bool) -> Normalise:
    def normalise(text: str) -> str:
        if own is None:
            return change(text)
        return change(own(text)) if after else own(change(text))

    return normalise
