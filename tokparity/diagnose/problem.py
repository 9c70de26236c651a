"""The problem of a diagnosis: one engine in one aspect, what may explain it, and what runs hypotheses."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tokparity.diagnose.budget import Budget
from tokparity.diagnose.evidence import Answer, Ask, Aspect, Observation
from tokparity.diagnose.hypothesis import Base, Hypothesis, flipped
from tokparity.diagnose.limits import Limits
from tokparity.diagnose.predict import Predictor, concerns, predictor
from tokparity.quirk import Quirk


@dataclass(frozen=True)
class Problem:
    """What stays the same while one aspect is diagnosed; the evidence, which grows, is passed beside it.

    `bases[0]` is what the oracle reads, and `reference` is that without any flip. `ask` is None where the engine cannot
    be asked. `encoder` gives the ids of a text, also where the aspect is decode.
    """

    aspect: Aspect
    bases: Sequence[Base]
    quirks: Sequence[Quirk]
    ask: Ask | None
    limits: Limits
    budget: Budget
    predictor: Predictor
    encoder: Predictor
    reference: Hypothesis

    def hypothesis(self, base: int, quirks: tuple[Quirk, ...] = ()) -> Hypothesis:
        """The hypothesis of these flips of a base."""
        return flipped(self.bases, base, quirks)

    def with_bases(self, bases: Sequence[Base]) -> Predictor:
        """What runs hypotheses about other bases, such as a reduced model, on the same budget."""
        return predictor(self.aspect, bases, self.budget, self.limits)

    def predict(self, hypothesis: Hypothesis, observation: Observation) -> Answer | None:
        """What the hypothesis says that the engine answers; None where it cannot be run on this model."""
        return self.predictor.predict(hypothesis, observation)

    def reproduces(self, hypothesis: Hypothesis, observation: Observation) -> bool:
        """Whether the hypothesis gives what the engine gave."""
        return self.predict(hypothesis, observation) == observation.actual


def pose(
    aspect: Aspect,
    bases: Sequence[Base],
    quirks: Sequence[Quirk],
    ask: Ask | None,
    limits: Limits,
    interrupted: Callable[[], bool] = lambda: False,
) -> Problem:
    """The problem of one aspect, with a budget of its own."""
    budget = Budget(limits, interrupted)
    runs = predictor(aspect, bases, budget, limits)
    return Problem(
        aspect,
        bases,
        [quirk for quirk in quirks if concerns(quirk, aspect)],
        None if aspect == "failure" else ask,  # an engine is not made to die again and again
        limits,
        budget,
        runs,
        runs if aspect == "ids" else predictor("ids", bases, budget, limits),
        flipped(bases, 0),
    )
