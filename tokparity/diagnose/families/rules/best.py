"""The rule about texts that tells the failing from the right best: candidates that one text gives, each tested."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from tokparity.diagnose.families.rules.conditioned import conditioned
from tokparity.diagnose.families.rules.fits import Fit, best_first, fit
from tokparity.diagnose.families.rules.made import Test, tested
from tokparity.diagnose.families.rules.pattern import flags_of, pattern
from tokparity.diagnose.families.rules.rules import ANY_TEXT, LONGEST_WHOLE, AtLeast, Pattern, Rule, whole
from tokparity.diagnose.families.rules.series import edges, grow
from tokparity.diagnose.seen import Asking, Seen
from tokparity.questions import Encode

_LOOKED_AT = 1000
_SHARE = 0.9
"""Of the texts that a rule holds for, as many fail."""

_NEARLY_ALL = 0.98
_MADE = 10
"""So many texts that have it were made at least."""

_STRAY = 0.02
"""Of texts that were made of failing ones so that they lack a pattern so many may fail, for another reason."""

_TESTED = 4
_SOME = 0.1
"""Of texts made above an edge as many fail, where not all do."""

_SPARED = 0.1
"""What more of all right texts have as well is no edge."""

_BELOW = 20
"""Of texts below an edge as many are right, and none may fail for it to be believed though not all above it fail."""

_FEWEST = 3
_SERIES_FROM = 4
"""Characters that a smallest text has at least for its length to be what matters."""


def _right(asking: Asking) -> list[Seen]:
    return [seen for seen in asking.seen.values() if not seen.wrong]


def best_rule(smallest: Seen, left: Sequence[Seen], right: Sequence[Seen], asking: Asking) -> tuple[Rule, Test] | None:
    """The rule that does best and stands its test; None if none does."""
    candidates = list(dict.fromkeys(_candidates(smallest, left, right, asking)))
    asked = list(asking.seen.values())
    fits = best_first(candidates, smallest, left, [*right, *asked])
    for one in fits[:_TESTED]:
        test = tested(one.rule, left, right, asking)
        if test.with_failing < test.with_made and isinstance(one.rule, Pattern):
            # It may fail only beside something, or where something is missing: the texts of the test show it.
            found = _narrower(one.rule, smallest, left, right, asking)
            if found is not None:
                return found
        again_fit = fit(one.rule, left, [*right, *asking.seen.values()])
        if isinstance(one.rule, AtLeast) and sum(not one.rule.holds(s) for s in (*right, *_right(asking))) < _BELOW:
            continue  # where nearly all is wrong, what little is right is short, whatever the cause
        if _is_believed(again_fit, test, sum(map(one.rule.holds, right)) / max(len(right), 1)):
            return one.rule, test
    return None


def _narrower(
    rule: Pattern, smallest: Seen, left: Sequence[Seen], right: Sequence[Seen], asking: Asking
) -> tuple[Rule, Test] | None:
    """The pattern under a condition with which it fails without exception."""
    for one in conditioned(rule, asking):
        test = tested(one, left, right, asking) if one.holds(smallest) else Test()
        found = fit(one, left, [*right, *asking.seen.values()])
        if test.with_failing == test.with_made and _is_believed(found, test, 0.0):
            return one, test
    return None


def _is_believed(found: Fit, test: Test, spared: float) -> bool:
    """Whether texts were made of either sort, and each was as the rule foretold; `spared` is the share of all right."""
    only = found.rule.spells if isinstance(found.rule, Pattern) else None
    if test.with_made < min(_MADE, only or _MADE) or not test.without_made:
        return False
    if test.without_failing > (_STRAY if isinstance(found.rule, Pattern) else 0) * test.without_made:
        return False
    if test.with_failing == test.with_made and found.precision >= _SHARE:
        return True
    nearly_all = test.with_failing >= _SHARE * test.with_made and found.precision >= _SHARE
    if isinstance(found.rule, Pattern) and nearly_all and found.cover >= _NEARLY_ALL:
        return True  # and said with its counts
    # So is what only texts above an edge show, but not all of them.
    above, below = test.with_failing >= max(_FEWEST, _SOME * test.with_made), test.without_made >= _BELOW
    is_edge = isinstance(found.rule, AtLeast) and not found.rule.exactly and spared <= _SPARED
    return is_edge and above and below and found.cover >= _NEARLY_ALL


def _candidates(smallest: Seen, left: Sequence[Seen], right: Sequence[Seen], asking: Asking) -> Iterator[Rule]:
    if isinstance(smallest.question, Encode) and asking.can:
        flags = flags_of(smallest.text, asking)
        if flags.says:
            yield replace(ANY_TEXT, flags=flags)
        found = pattern(smallest.text, asking)
        if found is not None or len(smallest.text) <= LONGEST_WHOLE:
            yield replace(found or whole(smallest), flags=flags)
        if len(smallest.text) >= _SERIES_FROM:
            grow(smallest, asking)
    failing = [seen for seen in asking.seen.values() if seen.wrong]
    yield from edges([smallest, *failing], [*right, *_right(asking)])
    # Other causes may be among them, so what all mismatches reach comes second.
    yield from edges(left[:_LOOKED_AT], right)
