"""A charsmap that two sources hold, and that the libraries of their formats apply each in its own way."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tokparity.behaviour import Normalise
from tokparity.formats import Source
from tokparity.lint.difference import Difference
from tokparity.quirks.changed_stages import changed
from tokparity.quirks.charsmaps import longest_key
from tokparity.reference.charsmap import Charsmap

_WHAT = "the library of a tokenizer.json looks up a whole grapheme in the charsmap, SentencePiece the longest prefix"
_EFFECT = "a letter with several marks may get other ids there; no tokenizer.json can change that"


def applied_alike(left: Source, right: Source) -> tuple[Source, Source, list[Difference]]:
    """Both sources with a charsmap applied as SentencePiece does, where one of them is; and what that leaves out."""
    both = (left, right)
    alike = [replace(side, behaviour=replace(side.behaviour, normalise=_longest(side))) for side in both]
    blobs = [set(_blobs(side.behaviour.normalise)) for side in alike]
    per_grapheme = [side != one for side, one in zip(both, alike, strict=True)]
    if sum(per_grapheme) != 1 or not blobs[0] & blobs[1]:
        return left, right, []
    return alike[0], alike[1], [Difference("normalizer", _WHAT, _EFFECT, lambda v, b: (v, b), unsaid=True)]


def _longest(source: Source) -> Normalise | None:
    stage: Normalise | None = changed(source.behaviour.normalise, longest_key)
    return stage


def _blobs(stage: object) -> Iterator[bytes]:
    if isinstance(stage, Charsmap):
        yield stage.blob
    for inner in getattr(stage, "stages", ()):
        yield from _blobs(inner)
