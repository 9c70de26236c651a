"""The search for the fewest flips that reproduce all observations of a sample.

All single flips are tried on everything, which shows what each of them explains, what it touches and what it spoils.
Pairs are tried if their members touch all mismatches between them, and given up at the first observation that they do
not reproduce. What takes more flips is found one cause after the other (`peel.py`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

from tokparity.diagnose.budget import Budget
from tokparity.diagnose.evidence import Base, Observation
from tokparity.diagnose.trials import Candidate, Trials
from tokparity.quirk import Quirk
from tokparity.quirks import clash, flip_all

LARGEST = 2
"""Sets up to this size are searched for as such."""

_BOTH_NEEDED = 0.3
"""Share of the mismatches that both flips of a pair may have to come together for; those of one field for all."""

_SORT_EVERY = 100  # candidates, until the observations are put in a new order


@dataclass(frozen=True)
class Score:
    """What a candidate did on the sample, one bit per observation: `right` reproduced, `active` not as the oracle.

    One that reproduces no mismatch is not tried on controls, and has no bits there.
    """

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
        budget: Budget,
    ) -> None:
        self._bases = bases
        self._quirks = [quirk for quirk in quirks if trials.concerns(quirk)]
        self._trials = trials
        self._sample = sample
        self._budget = budget
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
            sets = {0: self._nothing, 1: self._one, 2: self._two}[max(size - (base > 0), 0)]
            if size >= (base > 0):
                found += [candidate for candidate in sets(base) if self._fits(candidate)]
        if size == LARGEST and not found:
            # Some texts may need both flips: then neither alone touches them. Where one works on what the other made of
            # the text, or undid, it may be nearly all of them.
            found += [candidate for candidate in self._two(0, both_needed=True) if self._fits(candidate)]
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

    def _two(self, base: int, both_needed: bool = False) -> Iterator[Candidate]:
        """The pairs whose members touch all mismatches between them, so that together they may explain them.

        `both_needed`: also those of which some mismatches need both, so that neither alone touches them.
        """
        unflipped = self._bases[base].behaviour
        untouched = self.everything if base else 0  # another source may touch anything
        known = {score.candidate.behaviour for score in self._singles[base]} | {unflipped}
        pairs: list[tuple[int, int, Candidate, Quirk]] = []
        for left, right in combinations(self._singles[base], 2):
            one, other = left.candidate.quirks[0], right.candidate.quirks[0]
            if not self._together(one, other):
                continue
            need_both = self.mismatches & ~(left.active | right.active | untouched)
            share = 1.0 if one.field == other.field else _BOTH_NEEDED
            if need_both.bit_count() <= both_needed * share * self.mismatches.bit_count():
                idle = (not left.active) + (not right.active)
                pairs.append((idle, len(pairs), left.candidate, other))
        for *_, candidate, quirk in sorted(pairs, key=lambda pair: pair[:2]):
            pair = candidate.plus(quirk, unflipped)
            if pair.behaviour not in known:
                known.add(pair.behaviour)
                yield pair

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
        """The candidate on the whole sample; on the mismatches alone if it explains none of them."""
        key = self._key(candidate)
        found = self._scores.get(key)
        if found is None:
            self.tried += 1
            right = active = 0
            for i, seen in self._mismatches_first:
                if seen.is_control and not right:
                    break
                answer = self._trials.answer(candidate, seen)
                right |= (answer == seen.actual) << i
                active |= (answer != seen.expected) << i
            found = self._scores[key] = Score(candidate, right, active)
        return found

    @cached_property
    def _mismatches_first(self) -> list[tuple[int, Observation]]:
        return sorted(enumerate(self._sample), key=lambda placed: placed[1].is_control)

    def _fits(self, candidate: Candidate) -> bool:
        """Whether the candidate reproduces the sample; what refuted many candidates before is tried first."""
        known = self._scores.get(self._key(candidate))
        if known is not None:
            return known.right == self.everything
        if self._budget.over():
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
