"""The search for the fewest flips that reproduce all observations of a sample.

All single flips are tried on everything, which shows what each of them explains, what it touches and what it spoils.
Pairs are tried if their members touch all mismatches between them, and given up at the first observation that they do
not reproduce. What takes more flips is found one after the other (`stepwise.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from tokparity.diagnose.base import Base
from tokparity.diagnose.budget import Budget
from tokparity.diagnose.evidence import Observation
from tokparity.diagnose.families.catalogue.candidate import Candidate, Predictor, flipped
from tokparity.diagnose.families.catalogue.scores import Score, Scores, score_singles
from tokparity.diagnose.hypothesis import foretells
from tokparity.diagnose.limits import Limits
from tokparity.quirk import Quirk
from tokparity.quirks import clash, flip_all


@dataclass(frozen=True)
class SearchResult:
    """The smallest hypotheses that `fit` a whole sample, and what is known of all single flips.

    The behaviors are those of `bases`, which may be reduced to the texts of the sample.
    """

    bases: Sequence[Base]
    fits: Sequence[Candidate]
    scores: Scores

    def same_behaviour(self, hypothesis: Candidate) -> Iterator[tuple[str, ...]]:
        """The names of other quirks that give this model the same behavior."""
        unflipped = self.bases[hypothesis.base].behaviour
        behaviour = flip_all(hypothesis.quirks, unflipped)
        for i, quirk in enumerate(hypothesis.quirks):
            for equal in self.scores.equals.get((hypothesis.base, quirk.name), ()):
                quirks = (*hypothesis.quirks[:i], *hypothesis.quirks[i + 1 :], equal)
                if flip_all(quirks, unflipped) == behaviour:
                    yield replace(hypothesis, quirks=quirks).names


def search(
    predictor: Predictor,
    quirks: Sequence[Quirk],
    sample: Sequence[Observation],
    budget: Budget,
    limits: Limits,
    nearly: Sequence[Candidate] = (),
) -> SearchResult:
    """All hypotheses of one flip that reproduce the sample; if there are none, all of two.

    If there are none of these either, what `nearly` did and one flip more.
    """
    scores = score_singles(predictor, quirks, sample)
    attempts = _Attempts(predictor, sample, budget, limits, scores.by_flips, tried=len(scores.by_flips))
    fits = _smallest_fits(predictor, scores, attempts, limits)
    return SearchResult(predictor.bases, fits or attempts.fitting(_with_one_more(predictor, quirks, nearly)), scores)


def _with_one_more(predictor: Predictor, quirks: Sequence[Quirk], nearly: Sequence[Candidate]) -> Iterator[Candidate]:
    """Each of these hypotheses with each flip that it does not have."""
    for hypothesis in nearly:
        for quirk in quirks:
            if quirk not in hypothesis.quirks and not any(clash(quirk, other) for other in hypothesis.quirks):
                more = flipped(predictor, hypothesis.base, (*hypothesis.quirks, quirk))
                if more.behaviour != hypothesis.behaviour:
                    yield more


def _smallest_fits(predictor: Predictor, scores: Scores, attempts: _Attempts, limits: Limits) -> list[Candidate]:
    """The fits of the first of these sizes that has any; that the engine read another source counts as a flip."""
    others = range(1, len(predictor.bases))
    fits = attempts.fitting(single.hypothesis for single in scores.singles[0])
    fits += attempts.fitting(flipped(predictor, base) for base in others)
    if not fits:
        fits += attempts.fitting(_pairs(predictor, scores, 0))
        for base in others:
            fits += attempts.fitting(single.hypothesis for single in scores.singles[base])
    if not fits:
        # Some texts may need both flips: then neither alone touches them. Where one works on what the other made of
        # the text, or undid, it may be nearly all of them.
        fits += attempts.fitting(_pairs(predictor, scores, limits.both_needed_share))
    return fits


def _pairs(predictor: Predictor, scores: Scores, share: float) -> Iterator[Candidate]:
    """The pairs of flips of base 0 that may explain all mismatches together, those that touch something first.

    At most `share` of the mismatches may be changed by neither quirk alone. If this is not 0 and both quirks are of
    one field, all of them may.
    """
    singles = scores.singles[0]
    known = {single.hypothesis.behaviour for single in singles} | {predictor.bases[0].behaviour}
    pairs: list[tuple[int, int, tuple[Quirk, Quirk]]] = []
    for left, right in combinations(singles, 2):
        one, other = left.hypothesis.quirks[0], right.hypothesis.quirks[0]
        if one.name == other.name or clash(one, other):
            continue
        untouched = (scores.mismatches & ~(left.touched | right.touched)).bit_count()
        most = 1.0 if share and one.field == other.field else share
        if untouched <= most * scores.mismatches.bit_count():
            idle = (not left.touched) + (not right.touched)
            pairs.append((idle, len(pairs), (one, other)))
    for *_, quirks in sorted(pairs, key=lambda pair: pair[:2]):
        pair = flipped(predictor, 0, quirks)
        if pair.behaviour not in known:
            known.add(pair.behaviour)
            yield pair


@dataclass
class _Attempts:
    """Tries hypotheses on the sample, each up to the first observation that refutes it.

    What refuted many hypotheses before is tried first. `tried` counts the hypotheses.
    """

    predictor: Predictor
    sample: Sequence[Observation]
    budget: Budget
    limits: Limits
    known: Mapping[tuple[int, frozenset[str]], Score]
    tried: int

    def __post_init__(self) -> None:
        self._refuted = [0] * len(self.sample)
        self._order = list(range(len(self.sample)))

    def fitting(self, hypotheses: Iterable[Candidate]) -> list[Candidate]:
        """Those of the hypotheses that reproduce the whole sample; none once the budget is spent."""
        return [hypothesis for hypothesis in hypotheses if self._fits(hypothesis)]

    def _fits(self, hypothesis: Candidate) -> bool:
        known = self.known.get(hypothesis.flips)
        if known is not None:
            return known.reproduced == (1 << len(self.sample)) - 1
        if self.budget.is_done:
            return False
        self.tried += 1
        if self.tried % self.limits.reorder_every == 1:
            self._order = sorted(range(len(self.sample)), key=lambda i: -self._refuted[i])
        for i in self._order:
            seen = self.sample[i]
            if not foretells(hypothesis, seen):
                self._refuted[i] += 1
                return False
        return True
