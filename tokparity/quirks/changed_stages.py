"""Normalizers, pre-tokenizers and decoders of several stages, with some of the stages changed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from tokparity.behaviour import Behaviour, Decode, Normalise
from tokparity.quirk import Derived, Place
from tokparity.reference.splits import Piece, Split, Stage

StageChange = Callable[[Any], Any]
"""One stage -> what the engine does instead; None: nothing."""


class OfWords(Stage):
    """A stage whose pieces are the words that calling it gives."""

    def split(self, pieces: Iterable[Piece]) -> Iterable[Piece]:
        """The pieces that each piece is split into."""
        for text, at_start in pieces:
            for number, word in enumerate(self(text, at_start)):
                yield word, at_start and not number


def changed(stage: Any, change: StageChange) -> Any:
    """The stage, or those that it is made of (`stages`, `inner`), changed; equal to `stage` if none of them was."""
    if stage is None:
        return None
    if hasattr(stage, "inner"):
        return replace(stage, inner=changed(stage.inner, change))
    if hasattr(stage, "stages"):
        return _each(stage, lambda part: changed(part, change))
    return change(stage)


def _each(stage: Any, change: StageChange) -> Any:
    """A stage of several with each of them changed; None if nothing is left of them."""
    stages = tuple(s for s in map(change, stage.stages) if s is not None)
    return replace(stage, stages=stages) if stages else None


def normalises_with(number: int, change: StageChange) -> Derived:
    """A `derive` for the field `normalise`."""
    return Derived(Place.PART, number, lambda behaviour: changed(behaviour.normalise, change))


def wraps_stages(number: int, wanted: Callable[[Any], bool], wrapper: Callable[[Any], Normalise]) -> Derived:
    """A `derive` for the field `normalise`: each wanted stage, with what other quirks put around it, is wrapped."""

    def of_stage(stage: Any) -> Any:
        if hasattr(stage, "stages"):
            return _each(stage, of_stage)
        return wrapper(stage) if wanted(_innermost(stage)) else stage

    return Derived(Place.PART, number, lambda behaviour: of_stage(behaviour.normalise))


def _innermost(stage: Any) -> Any:
    return _innermost(stage.inner) if hasattr(stage, "inner") else stage


@dataclass(frozen=True)
class ChangedFirst:
    """Changes the text, then normalizes as before."""

    inner: Normalise | None
    change: Normalise

    def __call__(self, text: str) -> str:
        text = self.change(text)
        return self.inner(text) if self.inner else text


@dataclass(frozen=True)
class ChangedThen:
    """Normalizes as before, then changes the text."""

    inner: Normalise | None
    change: Normalise

    def __call__(self, text: str) -> str:
        return self.change(self.inner(text) if self.inner else text)


def normalised_before(number: int, change: Normalise) -> Derived:
    """A `derive` for the field `normalise`: `change` comes before the model's own."""
    return Derived(Place.BEFORE, number, lambda behaviour: ChangedFirst(behaviour.normalise, change))


def normalised_after(number: int, change: Normalise, even_if_none: bool = True) -> Derived:
    """A `derive` for the field `normalise`: `change` comes after the model's own, and also if there is none."""

    def make(behaviour: Behaviour) -> Normalise | None:
        inner = behaviour.normalise
        return ChangedThen(inner, change) if inner or even_if_none else None

    return Derived(Place.AFTER, number, make)


def splits_with(number: int, change: Callable[[Split], Any]) -> Derived:
    """Derive the field pretokenise by changing each stage that has a regular expression."""
    return pretokenises_with(number, lambda s: change(s) if isinstance(s, Split) and not s.literal else s)


def patterns_with(number: int, rewrite: Callable[[str], str]) -> Derived:
    """Derive the field pretokenise by rewriting each regular expression."""
    return splits_with(number, lambda split: replace(split, pattern=rewrite(split.pattern)))


def pretokenises_with(number: int, change: StageChange) -> Derived:
    """Derive the field pretokenise by changing each of its stages."""
    return Derived(Place.PART, number, lambda behaviour: changed(behaviour.pretokenise, change))


def decodes_with(number: int, change: Callable[[Decode], Decode]) -> Derived:
    """Derive the field decode by changing the innermost decoder, which other quirks may have wrapped."""

    def innermost(decode: Any) -> Any:
        return replace(decode, inner=innermost(decode.inner)) if hasattr(decode, "inner") else change(decode)

    return Derived(Place.PART, number, lambda behaviour: innermost(behaviour.decode))


def around_decode(place: Place, number: int, wrapper: Callable[[Decode], Decode]) -> Derived:
    """Derive the field decode by wrapping the whole decoder."""
    return Derived(place, number, lambda behaviour: wrapper(behaviour.decode))
