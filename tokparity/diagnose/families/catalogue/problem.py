"""The problem of a diagnosis: one engine, ids or decoding, the quirks that may explain it, and a predictor."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from tokparity.case import AnyCase
from tokparity.diagnose.base import Base
from tokparity.diagnose.budget import Budget
from tokparity.diagnose.evidence import Ask, Aspect, Observation
from tokparity.diagnose.families.catalogue.candidate import Candidate, Predictor, flipped
from tokparity.diagnose.families.catalogue.predict import concerns, predictor
from tokparity.diagnose.limits import Limits
from tokparity.diagnose.reduce import reduced
from tokparity.questions import Question
from tokparity.quirk import Quirk


@dataclass(frozen=True)
class Problem:
    """What does not change during one diagnosis; the growing evidence is passed separately.

    `bases[0]` is what the oracle reads, and `reference` is that without any flip. `ask` is None where the engine cannot
    be asked; `fresh` asks another process of it, which has seen nothing yet. `put` are cases that were put to it
    before. `encodes` gives the right ids of a text, also where the aspect is decode.
    """

    aspect: Aspect
    bases: Sequence[Base]
    quirks: Sequence[Quirk]
    ask: Ask | None
    fresh: Ask | None
    put: Sequence[AnyCase]
    limits: Limits
    budget: Budget
    predictor: Predictor
    encodes: Candidate
    reference: Candidate
    posed: dict[Question, Observation | None] = field(default_factory=dict, compare=False)
    """What the reference gives to questions that several attacks ask."""

    def hypothesis(self, base: int, quirks: tuple[Quirk, ...] = ()) -> Candidate:
        """The hypothesis of these flips of a base."""
        return flipped(self.predictor, base, quirks)

    def reduced_to(self, observations: Sequence[Observation]) -> tuple[Predictor, list[Observation]]:
        """Return a predictor for models reduced to the pieces of some observations' texts, and these observations in
        reduced ids.

        A cause that it finds must be verified with the whole model.
        """
        small = reduced(self.bases, [seen.case.question.shown for seen in observations], self.quirks, self.limits)
        runs = predictor(self.aspect, self.bases, self.budget, self.limits, small)
        # Decoding needs all pieces, so there ids stay what they are.
        return runs, [small.observation(seen) for seen in observations] if self.aspect == "ids" else [*observations]


def pose(
    aspect: Aspect,
    bases: Sequence[Base],
    quirks: Sequence[Quirk],
    ask: Ask | None,
    limits: Limits,
    interrupted: Callable[[], bool] = lambda: False,
    fresh: Ask | None = None,
    put: Sequence[AnyCase] = (),
) -> Problem:
    """The problem of one aspect, with a budget of its own; without `fresh` the one process is asked everything."""
    ask = None if aspect == "failure" else ask  # an engine is not made to die again and again
    budget = Budget(limits.work, limits.seconds, interrupted)
    runs = predictor(aspect, bases, budget, limits)
    return Problem(
        aspect,
        bases,
        [quirk for quirk in quirks if concerns(quirk, aspect)],
        ask,
        ask if ask is None or fresh is None else fresh,
        put,
        limits,
        budget,
        runs,
        flipped(runs if aspect == "ids" else predictor("ids", bases, budget, limits), 0),
        flipped(runs, 0),
    )
