"""For each single quirk: which mismatches of a sample it reproduces, and which right answers it changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tokparity.behaviour import Behaviour
from tokparity.diagnose.evidence import Observation, same
from tokparity.diagnose.families.catalogue.candidate import Candidate, Predictor, flipped
from tokparity.quirk import Quirk


@dataclass(frozen=True)
class Score:
    """What a hypothesis predicts on the sample: one bit for each observation, the first observation in the lowest bit.

    `reproduced`: it predicts the engine's answer. `touched`: it predicts another answer than the oracle's. A hypothesis
    that reproduces no mismatch is not tried on controls, and has no bits there.
    """

    hypothesis: Candidate
    reproduced: int
    touched: int


@dataclass(frozen=True)
class Scores:
    """The scores of all single flips on a sample (`singles`: for each base), and flips that are `equal` to them.

    `mismatches` has a bit for each observation that is not a control.
    """

    sample: Sequence[Observation]
    mismatches: int
    singles: Sequence[Sequence[Score]]
    by_flips: Mapping[tuple[int, frozenset[str]], Score]
    equals: Mapping[tuple[int, str], Sequence[Quirk]]

    @property
    def best_first(self) -> list[Score]:
        """The scores of what explains some of the mismatches, the best first."""
        some = [score for score in self.by_flips.values() if score.reproduced & self.mismatches]
        return sorted(some, key=lambda score: self.merit(score, self.mismatches), reverse=True)

    def merit(self, score: Score, members: int) -> tuple[int, int, tuple[str, ...]]:
        """Orders scores by the members explained less twice the controls spoilt; of equals the smaller set is better.

        `members` has a bit for each of them.
        """
        everything = (1 << len(self.sample)) - 1
        explained = (score.reproduced & members).bit_count()
        spoilt = (everything & ~self.mismatches & ~score.reproduced).bit_count()
        return explained - 2 * spoilt, -len(score.hypothesis.names), score.hypothesis.names

    def refuting(self, score: Score) -> Observation | None:
        """The first observation of the sample that a hypothesis does not reproduce."""
        return next((seen for i, seen in enumerate(self.sample) if not score.reproduced >> i & 1), None)


def score_singles(predictor: Predictor, quirks: Sequence[Quirk], sample: Sequence[Observation]) -> Scores:
    """Every flip that changes the behavior, on the whole sample; of equal ones only the first is run."""
    mismatches = sum(1 << i for i, seen in enumerate(sample) if seen.wrong)
    # Controls come last: what explains no mismatch need not be run on them.
    ordered = sorted(enumerate(sample), key=lambda placed: not placed[1].wrong)
    singles: list[list[Score]] = []
    by_flips: dict[tuple[int, frozenset[str]], Score] = {}
    equals: dict[tuple[int, str], list[Quirk]] = {}
    for base in range(len(predictor.bases)):
        if base:
            unflipped = flipped(predictor, base)
            by_flips[unflipped.flips] = _score(predictor, unflipped, ordered)
        hypotheses = _distinct(predictor, base, quirks, equals)
        singles.append([_score(predictor, hypothesis, ordered) for hypothesis in hypotheses])
        by_flips |= {score.hypothesis.flips: score for score in singles[-1]}
    return Scores(sample, mismatches, singles, by_flips, equals)


def _distinct(
    predictor: Predictor, base: int, quirks: Sequence[Quirk], equals: dict[tuple[int, str], list[Quirk]]
) -> list[Candidate]:
    """The single flips that change the behavior, each in a way of its own; `equals` collects the others."""
    unflipped = predictor.bases[base].behaviour
    first: dict[Behaviour, Candidate] = {}
    for quirk in quirks:
        hypothesis = flipped(predictor, base, (quirk,))
        if hypothesis.behaviour == unflipped:
            continue
        same = first.setdefault(hypothesis.behaviour, hypothesis)
        if same is not hypothesis:
            equals.setdefault((base, same.quirks[0].name), []).append(quirk)
    return list(first.values())


def _score(predictor: Predictor, hypothesis: Candidate, ordered: Sequence[tuple[int, Observation]]) -> Score:
    """The hypothesis on the whole sample; on the mismatches alone if it explains none of them."""
    reproduced = touched = 0
    for i, seen in ordered:
        if not seen.wrong and not reproduced:
            break
        answer = hypothesis.predict(seen)
        reproduced |= (answer is not None and same(answer, seen.actual)) << i
        touched |= (answer != seen.expected) << i
    return Score(hypothesis, reproduced, touched)
