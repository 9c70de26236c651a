"""The rule that best separates failing texts from right ones, out of candidates from one text; each is tested."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from tokparity.diagnose.asking import Asking
from tokparity.diagnose.evidence import Observation
from tokparity.diagnose.families.rules.conditioned import conditioned
from tokparity.diagnose.families.rules.made import tested
from tokparity.diagnose.families.rules.pattern import flags_of, pattern
from tokparity.diagnose.families.rules.rules import ANY_TEXT, AtLeast, Pattern, Rule, whole
from tokparity.diagnose.families.rules.series import edges, grow
from tokparity.diagnose.limits.families import (
    FEWEST_ALIKE,
    FEWEST_BELOW,
    RULES_TRIED,
)
from tokparity.diagnose.limits.texts import LONGEST_WHOLE, MISMATCHES_OF_A_RULE, SERIES_FROM
from tokparity.diagnose.policies import Tested, rule_stands
from tokparity.questions import Encode


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
    """How well a rule separates the mismatches that are `left`, and some `others`, from right texts."""
    held = sum(map(rule.holds, left))
    beside = [seen.wrong for seen in others if rule.holds(seen)]
    wrong = held + sum(beside)
    return Fit(rule, held / len(left), wrong / max(held + len(beside), 1))


def _right(asking: Asking) -> list[Observation]:
    return [seen for seen in asking.seen.values() if not seen.wrong]


def best_rule(
    smallest: Observation, left: Sequence[Observation], right: Sequence[Observation], asking: Asking
) -> tuple[Rule, Tested] | None:
    """The rule that does best and stands its test; None if none does."""
    candidates = list(dict.fromkeys(_candidates(smallest, left, right, asking)))
    asked = list(asking.seen.values())
    fits = best_first(candidates, smallest, left, [*right, *asked])
    for one in fits[:RULES_TRIED]:
        test = tested(one.rule, left, right, asking)
        if not test.is_strict and isinstance(one.rule, Pattern):
            # It may fail only beside something, or where something is missing: the texts of the test show it.
            found = _narrower(one.rule, smallest, left, right, asking)
            if found is not None:
                return found
        again_fit = fit(one.rule, left, [*right, *asking.seen.values()])
        if (
            isinstance(one.rule, AtLeast)
            and sum(not one.rule.holds(s) for s in (*right, *_right(asking))) < FEWEST_BELOW
        ):
            continue  # where nearly all is wrong, what little is right is short, whatever the cause
        if _is_believed(again_fit, test, sum(map(one.rule.holds, right)) / max(len(right), 1)):
            return one.rule, test
    return None


def _narrower(
    rule: Pattern, smallest: Observation, left: Sequence[Observation], right: Sequence[Observation], asking: Asking
) -> tuple[Rule, Tested] | None:
    """The pattern under a condition with which it fails without exception."""
    for one in conditioned(rule, asking):
        test = tested(one, left, right, asking) if one.holds(smallest) else Tested()
        found = fit(one, left, [*right, *asking.seen.values()])
        if test.is_strict and _is_believed(found, test, 0.0):
            return one, test
    return None


def _is_believed(found: Fit, test: Tested, spared: float) -> bool:
    """Whether the rule is said; `spared` is the share of all right texts that it holds for."""
    rule = found.rule
    return rule_stands(
        test,
        cover=found.cover,
        precision=found.precision,
        is_pattern=isinstance(rule, Pattern),
        is_edge=isinstance(rule, AtLeast) and not rule.exactly,
        spells=rule.spells if isinstance(rule, Pattern) else None,
        spared=spared,
    )


def _candidates(
    smallest: Observation, left: Sequence[Observation], right: Sequence[Observation], asking: Asking
) -> Iterator[Rule]:
    if isinstance(smallest.question, Encode) and asking.can:
        flags = flags_of(smallest.text, asking)
        if flags.says:
            yield replace(ANY_TEXT, flags=flags)
        found = pattern(smallest.text, asking)
        if found is not None or len(smallest.text) <= LONGEST_WHOLE:
            yield replace(found or whole(smallest), flags=flags)
        if len(smallest.text) >= SERIES_FROM:
            grow(smallest, asking)
    failing = [seen for seen in asking.seen.values() if seen.wrong]
    yield from edges([smallest, *failing], [*right, *_right(asking)])
    # Other causes may be among them, so what all mismatches reach comes second.
    yield from edges(left[:MISMATCHES_OF_A_RULE], right)
