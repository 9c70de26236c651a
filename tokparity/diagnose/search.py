"""The search for the fewest flips that reproduce all observations of a sample.

All single flips are tried on everything, which shows what each of them explains, what it touches and what it spoils.
Pairs are tried in the order of how much of the mismatches their members touch, and given up at the first observation
that they do not reproduce; larger sets are grown from the best smaller ones.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

from tokparity.behaviour import Behaviour
from tokparity.diagnose.evidence import Base, Observation
from tokparity.diagnose.trials import Candidate, Trials
from tokparity.quirk import Quirk
from tokparity.quirks import clash, flip_all

LARGEST = 3
"""Sets up to this size are searched for as such; larger ones only by growing."""

_GROWN = 6  # flips in the largest set that is grown
_SEEDS = 6  # sets that are grown
_POOL = 30  # flips that a set is grown by
_BEAM = 24  # pairs that triples are made of
_SORT_EVERY = 100  # candidates, until the observations are put in a new order


@dataclass(frozen=True)
class Score:
    """What a candidate did on the sample, one bit per observation: `right` reproduced, `active` not as the oracle."""

    candidate: Candidate
    right: int
    active: int


class Search:
    """The search on one sample of observations of one aspect."""

    def __init__(
        self,
        bases: Sequence[Base],
        quirks: Sequence[Quirk],
        trials: Trials,
        sample: Sequence[Observation],
        over: Callable[[], bool],
    ) -> None:
        self._bases = bases
        self._quirks = [quirk for quirk in quirks if trials.concerns(quirk)]
        self._trials = trials
        self._sample = sample
        self._over = over
        self._hits = [0] * len(sample)
        self.everything = (1 << len(sample)) - 1
        self.mismatches = sum(1 << i for i, seen in enumerate(sample) if not seen.is_control)
        self.tried = 0
        self._twins: dict[tuple[int, str], list[Quirk]] = {}
        self._scores: dict[tuple[int, frozenset[str]], Score] = {}
        self._singles = [self._try_singles(base) for base in range(len(bases))]

    def fits(self, size: int) -> list[Candidate]:
        """All candidates of so many flips that reproduce the whole sample."""
        found: list[Candidate] = []
        for base in range(len(self._bases)):
            sets = {0: self._nothing, 1: self._one, 2: self._two, 3: self._three}[max(size - (base > 0), 0)]
            if size >= (base > 0):
                found += [candidate for candidate in sets(base) if self._fits(candidate)]
        return found

    def twins(self, candidate: Candidate) -> Iterator[tuple[str, ...]]:
        """The same behaviour under other names: quirks that come to the same here."""
        unflipped = self._bases[candidate.base].behaviour
        behaviour = flip_all(candidate.quirks, unflipped)
        for i, quirk in enumerate(candidate.quirks):
            for twin in self._twins.get((candidate.base, quirk.name), ()):
                quirks = (*candidate.quirks[:i], *candidate.quirks[i + 1 :], twin)
                if flip_all(quirks, unflipped) == behaviour:
                    yield Candidate(candidate.base, quirks, behaviour).names

    @cached_property
    def grown(self) -> list[Score]:
        """Sets grown flip by flip as long as more is explained and no control is spoilt, the best first."""
        starts = sorted(self._scores.values(), key=self.merit, reverse=True)[:_SEEDS]
        found = [self._grow(start) for start in starts if start.right & self.mismatches]
        return sorted(found, key=self.merit, reverse=True)

    @property
    def nearest(self) -> list[Score]:
        """What was tried on everything and explains some of the mismatches, the best first."""
        some = [score for score in self._scores.values() if score.right & self.mismatches]
        return sorted(some, key=self.merit, reverse=True)

    def merit(self, score: Score) -> tuple[int, int, tuple[str, ...]]:
        """Orders scores by what they explain less twice what they spoil; of equals the smaller set is better."""
        right = (score.right & self.mismatches).bit_count()
        spoilt = (self.everything & ~self.mismatches & ~score.right).bit_count()
        return right - 2 * spoilt, -len(score.candidate.names), tuple(score.candidate.names)

    # --- sets by size

    def _nothing(self, base: int) -> Iterator[Candidate]:
        yield Candidate(base, (), self._bases[base].behaviour)

    def _one(self, base: int) -> Iterator[Candidate]:
        yield from (score.candidate for score in self._singles[base])

    def _two(self, base: int) -> Iterator[Candidate]:
        """All pairs: first those whose members touch all mismatches, so that together they may explain them."""
        unflipped = self._bases[base].behaviour
        untouched = self.everything if base else 0  # another source may touch anything
        known = {score.candidate.behaviour for score in self._singles[base]} | {unflipped}
        pairs: list[tuple[int, int, int, Candidate, Quirk]] = []
        for left, right in combinations(self._singles[base], 2):
            if not self._together(left.candidate.quirks[0], right.candidate.quirks[0]):
                continue
            missed = self.mismatches & ~(left.active | right.active | untouched)
            idle = (not left.active) + (not right.active)
            pairs.append((missed.bit_count(), idle, len(pairs), left.candidate, right.candidate.quirks[0]))
        for *_, candidate, quirk in sorted(pairs, key=lambda pair: pair[:3]):
            pair = candidate.plus(quirk, unflipped)
            if pair.behaviour not in known:
                known.add(pair.behaviour)
                yield pair

    def _three(self, base: int) -> Iterator[Candidate]:
        """Triples of the most promising pairs and all singles."""
        unflipped = self._bases[base].behaviour
        known: set[Behaviour] = set()
        for pair in self._promising_pairs(base):
            for single in self._singles[base]:
                (quirk,) = single.candidate.quirks
                if all(self._together(quirk, other) for other in pair.quirks):
                    triple = pair.plus(quirk, unflipped)
                    if triple.behaviour not in known:
                        known.add(triple.behaviour)
                        yield triple

    def _promising_pairs(self, base: int) -> list[Candidate]:
        pairs: list[Score] = []
        for candidate in self._two(base):
            if len(pairs) >= 4 * _BEAM or self._over():
                break
            pairs.append(self._score(candidate))
        return [score.candidate for score in sorted(pairs, key=self.merit, reverse=True)[:_BEAM]]

    @staticmethod
    def _together(one: Quirk, other: Quirk) -> bool:
        return one.name != other.name and not clash(one, other)

    # --- trying

    def _try_singles(self, base: int) -> list[Score]:
        """Every flip that changes the behaviour, on everything; of equal ones the first, the others are its twins."""
        unflipped = Candidate(base, (), self._bases[base].behaviour)
        first: dict[object, Quirk] = {unflipped.behaviour: Quirk("", "", "", "", "", "")}
        scores = [self._score(unflipped)] if base else []
        singles: list[Score] = []
        for quirk in self._quirks:
            candidate = unflipped.plus(quirk, unflipped.behaviour)
            twin = first.setdefault(candidate.behaviour, quirk)
            if twin is quirk:
                singles.append(self._score(candidate))
            elif twin.name:
                self._twins.setdefault((base, twin.name), []).append(quirk)
        self._scores |= {self._key(score.candidate): score for score in scores}
        return singles

    def _score(self, candidate: Candidate) -> Score:
        """The candidate on the whole sample."""
        key = self._key(candidate)
        found = self._scores.get(key)
        if found is None:
            self.tried += 1
            right = active = 0
            for i, seen in enumerate(self._sample):
                answer = self._trials.answer(candidate, seen)
                right |= (answer == seen.actual) << i
                active |= (answer != seen.expected) << i
            found = self._scores[key] = Score(candidate, right, active)
        return found

    def _fits(self, candidate: Candidate) -> bool:
        """Whether the candidate reproduces the sample; what refuted many candidates before is tried first."""
        known = self._scores.get(self._key(candidate))
        if known is not None:
            return known.right == self.everything
        if self._over():
            return False
        self.tried += 1
        if self.tried % _SORT_EVERY == 1:
            self._order = sorted(range(len(self._sample)), key=lambda i: -self._hits[i])
        for i in self._order:
            seen = self._sample[i]
            if self._trials.answer(candidate, seen) != seen.actual:
                self._hits[i] += 1
                return False
        return True

    @cached_property
    def _order(self) -> list[int]:
        return list(range(len(self._sample)))

    @staticmethod
    def _key(candidate: Candidate) -> tuple[int, frozenset[str]]:
        return candidate.base, frozenset(quirk.name for quirk in candidate.quirks)

    # --- growing

    def _grow(self, start: Score) -> Score:
        best = start
        while len(best.candidate.quirks) < _GROWN and not self._over():
            unflipped = self._bases[best.candidate.base].behaviour
            pool = [
                single
                for single in self._singles[best.candidate.base]
                if single.active & self.mismatches & ~best.right
                and all(self._together(single.candidate.quirks[0], other) for other in best.candidate.quirks)
            ]
            pool.sort(key=lambda single: -(single.right & self.mismatches & ~best.right).bit_count())
            more = [self._score(best.candidate.plus(s.candidate.quirks[0], unflipped)) for s in pool[:_POOL]]
            better = max(more, key=self.merit, default=best)
            if self.merit(better)[0] <= self.merit(best)[0]:
                break
            best = better
        return self._without_idle(best)

    def _without_idle(self, score: Score) -> Score:
        """The set without flips that explain nothing."""
        base, quirks = score.candidate.base, score.candidate.quirks
        fewer = [(base, tuple(other for other in quirks if other is not quirk)) for quirk in quirks]
        if base:
            fewer.append((0, quirks))
        for base, quirks in fewer:
            if quirks or base:
                found = self._score(Candidate(base, quirks, flip_all(quirks, self._bases[base].behaviour)))
                if self.merit(found)[0] >= self.merit(score)[0]:
                    return self._without_idle(found)
        return score


def deadline(seconds: float) -> Callable[[], bool]:
    """A function that says whether so many seconds have gone by since now."""
    end = time.monotonic() + seconds
    return lambda: time.monotonic() >= end
