"""How well rules tell what is wrong from what is right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tokparity.diagnose.evidence import Observation
from tokparity.diagnose.families.rules.rules import Rule
from tokparity.diagnose.limits.families import FEWEST_ALIKE


@dataclass(frozen=True)
class Fit:
    """A rule on what was seen."""

    rule: Rule
    cover: float
    precision: float

    @property
    def merit(self) -> float:
        """How well it tells the failing from the right, from 0 to 1."""
        both = self.cover + self.precision
        return 2 * self.cover * self.precision / both if both else 0.0


def best_first(
    rules: Sequence[Rule], smallest: Observation, left: Sequence[Observation], others: Sequence[Observation]
) -> list[Fit]:
    """The rules that hold for the smallest mismatch and for enough of all, the best first; of equals the plainest."""
    fits = [fit(rule, left, others) for rule in rules if rule.holds(smallest)]
    enough = [one for one in fits if one.cover * len(left) >= min(FEWEST_ALIKE, len(left))]
    return sorted(enough, key=lambda one: -round(one.merit, 3))


def fit(rule: Rule, left: Sequence[Observation], others: Sequence[Observation]) -> Fit:
    """How well a rule tells the mismatches that are `left`, and those among the `others`, from what is right."""
    held = sum(map(rule.holds, left))
    beside = [seen.wrong for seen in others if rule.holds(seen)]
    wrong = held + sum(beside)
    return Fit(rule, held / len(left), wrong / max(held + len(beside), 1))
