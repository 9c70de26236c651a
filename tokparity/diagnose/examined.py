"""The engine that is examined: who can be asked, and the model that its answers are held against.

Where quirks or an earlier hypothesis explain some mismatches, the others are held against the model with these. So a
second fault shows alone.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace

from tokparity import quirks
from tokparity.diagnose.asking import Asking, Put
from tokparity.diagnose.base import Base
from tokparity.diagnose.budget import Budget
from tokparity.diagnose.evidence import Observation
from tokparity.diagnose.facts import Family
from tokparity.diagnose.families.conditions.conditional import Conditional
from tokparity.diagnose.families.shown import FAMILIES
from tokparity.diagnose.hypothesis import OF_THE_MODEL, Hypothesis, both, foretells
from tokparity.diagnose.limits.families import WORK_PER_RUN
from tokparity.diagnose.tokens import Tokens
from tokparity.outcome import Failure
from tokparity.questions import Decode, Encode
from tokparity.quirk import Quirk
from tokparity.quirks import clash, flip_all
from tokparity.reference.imitate import imitate


@dataclass(frozen=True)
class Examined:
    """Who can be asked, and what it answered rightly; `base` is None where the model is not known.

    `spoiling` are quirks which the engine can't have as they are, for they would change what it answered rightly.
    `nearest` are quirks that give nearly all wrong answers, and spoil some right ones. `is_beside` says that known
    quirks explain other mismatches. `already` is the sentence of what `base` has in it already.
    """

    put: Put | None
    budget: Budget
    right: Sequence[Observation]
    tokens: Tokens
    base: Base | None
    spoiling: Collection[tuple[str, ...]] = ()
    nearest: Collection[str] = ()
    is_beside: bool = False
    already: str = ""

    def asking(self, like: Observation, most: int) -> Asking:
        """At most `most` questions, with the flags of `like`."""
        return Asking(self.put if most else None, like.question, self.budget, most, self.tokens)

    def families(self, failing: Sequence[Observation]) -> Sequence[tuple[str, Family]]:
        """What may explain the mismatches: known quirks that come near, all families, known quirks in part."""
        if self.base is None:
            return FAMILIES
        conditional = Conditional(self.base, failing, self.spoiling, self.nearest)
        before = ("the nearest known quirks", conditional.nearest)
        return [before, *FAMILIES, ("known quirks under a condition", conditional.variants)]

    def on_top_of(self, sentence: str, base: Base) -> Examined:
        """The same engine, whose answers are held against a model that a sentence describes."""
        judged = judged_by(base, self.budget)
        put, right = self.put, [seen for seen in self.right if not judged(seen).wrong]
        return replace(
            self,
            put=(lambda cases: [None if seen is None else judged(seen) for seen in put(cases)]) if put else None,
            right=right,
            base=base,
            is_beside=True,
            already=both(self.already, sentence),
        )

    def foretold_by(self, one: Hypothesis) -> Callable[[Observation], bool]:
        """Whether a hypothesis about this engine predicts what it answered."""
        judged = judged_by(self.base, self.budget) if self.base and self.already else None

        def is_foretold(seen: Observation) -> bool:
            seen = replace(seen, tokens=self.tokens)
            return foretells(one, judged(seen) if judged else seen)

        return is_foretold


def judged_by(base: Base, budget: Budget) -> Callable[[Observation], Observation]:
    """What holds an observation against the answer of a model."""

    def judged(seen: Observation) -> Observation:
        is_cut = any(getattr(seen.expected, whole, None) for whole in ("whole_ids", "whole_decoded"))
        if is_cut or not (type(seen.question) is Encode or isinstance(seen.question, Decode)):
            return seen
        budget.spend(WORK_PER_RUN + seen.question.size)
        decodes = getattr(seen.actual, "decoded", None) is not None
        found = imitate(base.tokenizer, seen.question, decodes)
        return seen if isinstance(found, Failure) else replace(seen, expected=found)

    return judged


def with_quirks(base: Base, names: Sequence[str]) -> tuple[str, Base] | None:
    """The model with those quirks of the catalog that go together, the first ones first, and a sentence about it.

    None where they leave it as it is.
    """
    found: list[Quirk] = []
    for name in names:
        if name in quirks.names() and not any(clash(quirks.get(name), other) for other in found):
            found.append(quirks.get(name))
    behaviour = flip_all(found, base.behaviour)
    if behaviour == base.behaviour:
        return None
    return f"{OF_THE_MODEL}with {' and '.join(quirk.name for quirk in found)}", base.with_behaviour(behaviour)
