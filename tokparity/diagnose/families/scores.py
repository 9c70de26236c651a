"""Models with other scores: rounded ones, or another score for text that no piece covers."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from functools import partial

from tokparity.diagnose.base import Base
from tokparity.diagnose.evidence import Observation
from tokparity.diagnose.facts import Facts
from tokparity.diagnose.families.vocabulary.lost_pieces import without_pieces
from tokparity.diagnose.hypothesis import Variant, has_other_ids, ids_by
from tokparity.diagnose.limits.families import PLACES_OF_A_SCORE, SCORES_OF_UNKNOWNS
from tokparity.diagnose.probes import mixed
from tokparity.outcome import Encoding
from tokparity.quirks.seen_vocabulary import algorithm
from tokparity.reference.lattice import lattice
from tokparity.reference.ugm import ugm
from tokparity.vocabulary import Kind

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


def scores_of_unknowns(facts: Facts) -> Iterator[Variant]:
    """The variants with another score for unknown characters that give the engine's answer to the smallest mismatch.

    An engine may use the unknown token only for a character without a piece, which is right, or wherever it scores
    better.
    """
    base = facts.base
    if not facts.is_of_ids or algorithm(base.behaviour.segment) is not ugm:
        return
    vocabulary = base.vocabulary
    singles = {i for i, piece in enumerate(vocabulary.pieces)
               if vocabulary.kinds[i] is Kind.NORMAL and len(piece.decode("utf-8", "replace")) == 1}  # fmt: skip
    texts = mixed([vocabulary.pieces[i].decode("utf-8", "replace") for i in sorted(singles)], joined_pieces(base))
    learned = _between(facts, singles)
    for score in dict.fromkeys((*SCORES_OF_UNKNOWNS, *learned)):
        worse = frozenset(i for i in singles if vocabulary.scores[i] < score)
        says = f"with a score of {score:g} for every unknown character"
        for told, removed in ((says, frozenset[int]()), (f"{says}, also where a worse piece covers it", worse)):
            if facts.asking.budget.is_done:
                return
            variant = _with_unknowns(facts, told, score, removed, texts)
            if facts.shows(variant):
                yield variant


def _with_unknowns(facts: Facts, says: str, score: float, removed: frozenset[int], texts: Sequence[str]) -> Variant:
    """The model without some pieces, and with this score for unknown characters."""
    vocabulary = without_pieces(facts.base.vocabulary, removed) if removed else facts.base.vocabulary
    lowest = lattice(vocabulary, replace(facts.base.behaviour, unknown_penalty=0.0)).unknown_score
    behaviour = replace(facts.base.behaviour, unknown_penalty=lowest - score)
    if not removed:
        return facts.with_behaviour(says, behaviour, texts)
    return facts.variant(says, partial(ids_by, facts.built(vocabulary, behaviour)), texts)


def _between(facts: Facts, singles: Set[int]) -> list[float]:
    """A round score above those of the characters that became unknown, and below those that did not."""
    scores = facts.base.vocabulary.scores
    lost = [
        scores[i] for seen in facts.failing if has_other_ids(seen) for i in {*seen.ids} & {*singles} - {*_came(seen)}
    ]
    kept = [scores[i] for seen in (*facts.failing, *facts.right) for i in {*_came(seen)} & {*singles}]
    low, high = max(lost, default=0.0), min(kept, default=0.0)
    middle = (low + high) / 2
    return [found for places in PLACES_OF_A_SCORE if low < (found := round(middle, places)) < high][:1]


def _came(seen: Observation) -> Sequence[int]:
    return seen.actual.ids if isinstance(seen.actual, Encoding) else ()


def joined_pieces(base: Base) -> list[str]:
    """Texts of a few pieces, one behind the other."""
    spelled = base.generators.subject.words
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
