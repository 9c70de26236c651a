"""Variants of a model whose scores are kept less exactly, as whole numbers or with few decimals."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from tokparity.diagnose.base import Base
from tokparity.diagnose.facts import Facts
from tokparity.diagnose.hypothesis import Variant
from tokparity.diagnose.probes import mixed
from tokparity.generators import prepared

_DECIMALS = (1, 2, 3)


def _to_decimals(places: int, score: float) -> float:
    return round(score, places)


def _to_step(to_whole: Callable[[float], int], low: float, step: float, score: float) -> float:
    return low + step * to_whole((score - low) / step)


_ROUNDED: Mapping[str, Callable[[float], float]] = {
    "with its scores cut to whole numbers": lambda score: float(math.trunc(score)),
    "with its scores rounded to whole numbers": lambda score: float(round(score)),
    "with its scores rounded down to whole numbers": lambda score: float(math.floor(score)),
    **{f"with its scores rounded to {n} decimal place{'s' * (n > 1)}": partial(_to_decimals, n) for n in _DECIMALS},
    "without its scores, all of which are 0": lambda score: 0.0,
}


def rounded_scores(facts: Facts) -> Iterator[Variant]:
    """The variants that answer as the smallest mismatch was answered."""
    vocabulary = facts.base.vocabulary
    if not vocabulary.scores or not facts.is_of_ids:
        return
    texts = joined_pieces(facts.base)
    for says, change in {**_ROUNDED, **dict(_quantised(vocabulary.scores))}.items():
        rounded = replace(vocabulary, scores=tuple(map(change, vocabulary.scores)))
        if facts.asking.budget.is_done:
            return
        variant = facts.with_vocabulary(says, rounded, texts)
        if facts.shows(variant):
            yield variant


def joined_pieces(base: Base) -> list[str]:
    """Texts of a few pieces, one behind the other."""
    spelled = prepared(base.vocabulary, base.behaviour).subject.words
    return mixed([word.decode("utf-8", "surrogateescape") for word in spelled])


def _quantised(scores: Sequence[float]) -> Iterator[tuple[str, Callable[[float], float]]]:
    """The scores as one byte each, in equal steps from the worst to the best."""
    low, high = min(scores), max(scores)
    step = (high - low) / 255 or 1.0
    for says, to_whole in (("rounded", round), ("rounded down", math.floor), ("rounded up", math.ceil)):
        yield (
            f"with its scores {says} to one of 256 equal steps from the worst to the best",
            partial(_to_step, to_whole, low, step),
        )
