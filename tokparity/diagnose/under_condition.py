"""A hypothesis under a condition: it predicts its change where the condition holds, and the right answer elsewhere."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from tokparity.diagnose.evidence import Observation
from tokparity.diagnose.facts import Facts
from tokparity.diagnose.hypothesis import Hypothesis, Prediction, changes, foretells
from tokparity.diagnose.limits.families import CONDITIONS, FEW_PROBES, FEWEST_FOR_A_NUMBER, SEEN
from tokparity.diagnose.separate.conditions import Condition, Place, conditions
from tokparity.outcome import Encoding
from tokparity.questions import Encode


@dataclass(frozen=True)
class Under:
    """A hypothesis that holds under a condition only."""

    one: Hypothesis
    condition: Condition
    probes: Sequence[str]
    model: None = None

    @property
    def sentence(self) -> str:
        """The clause with its condition."""
        return f"{self.one.sentence}, but only {self.condition.says}"

    def predict(self, seen: Observation) -> Prediction:
        """What the hypothesis predicts, where the condition holds; else what is right."""
        holds = isinstance(seen.question, Encode) and self.condition.holds(_of(seen))
        return self.one.predict(seen) if holds else Encoding(seen.ids)


def under_conditions(one: Hypothesis, facts: Facts) -> Iterator[Under]:
    """The hypothesis under each condition that tells where the engine does as it says from where it is right."""
    every = [*facts.failing[:SEEN], *facts.right[:SEEN], *facts.asking.seen.values()]
    changed = [seen for seen in every if changes(one, seen)]
    shown = [_of(seen) for seen in changed if foretells(one, seen)]
    spared = [_of(seen) for seen in changed if not seen.wrong]
    if min(len({place.text for place in some}) for some in (shown, spared)) < FEWEST_FOR_A_NUMBER:
        return
    rng = random.Random(0)
    texts = [place.text for some in (shown, spared) for place in rng.sample(some, min(FEW_PROBES, len(some)))]
    for condition in islice(conditions("texts", shown, spared), CONDITIONS):
        yield Under(one, condition, [*texts, *one.probes])


def _of(seen: Observation) -> Place:
    question = seen.question if isinstance(seen.question, Encode) else Encode(b"")
    text = question.text.decode("utf-8", "surrogateescape")
    return Place(text, question.add_special, question.parse_special, ids=len(seen.ids))
