"""Patterns that fail only beside something, or only if something is missing, as their test texts show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from tokparity.diagnose.asking import Asking
from tokparity.diagnose.families.rules.rules import Pattern
from tokparity.diagnose.limits.families import CONDITIONS, FEWEST_ALIKE
from tokparity.diagnose.separate.classes import classes
from tokparity.diagnose.separate.features import Feature, at_places, separate
from tokparity.diagnose.separate.neighbors import Beside, around, neighbors, where
from tokparity.questions import Encode

_ALSO = {
    "{} stands elsewhere in it": lambda holds, rest: any(map(holds, rest)),
    "nowhere else in it stands {}": lambda holds, rest: not any(map(holds, rest)),
}


def conditioned(rule: Pattern, asking: Asking) -> Iterator[Pattern]:
    """The pattern with what is next to it where it fails, or with what the rest of the text has or lacks."""
    shown = "".join(some[0] for some in rule.examples)
    texts = around(shown)
    if not (rule.at_start or rule.at_end):
        asking.allow(len(texts))
        asking.wrong(texts)
    yes: Counter[Beside] = Counter()
    no: Counter[Beside] = Counter()
    with_it: list[str] = []
    without: list[str] = []
    size = len(rule.classes)
    for seen in asking.seen.values():
        at = rule.place(seen.text) if isinstance(seen.question, Encode) and rule.flags.holds(seen.question) else None
        if at is None or rule.place(seen.text[at + 1 :]) is not None:
            continue  # of two it is not known which fails
        (yes if seen.wrong else no)[seen.text[max(at - 1, 0) : at], seen.text[at + size : at + size + 1]] += 1
        (with_it if seen.wrong else without).append(rule.rest(seen.text, at))
    if min(yes.total(), no.total()) < FEWEST_ALIKE:
        return
    for one in islice(neighbors(yes, no), CONDITIONS):
        yield replace(rule, beside=Feature(where(one), one.holds))
    sorts = ((one.says, one.holds) for one in classes())
    for also in islice(separate(with_it, without, at_places(_ALSO, sorts, lambda rest: (rest,))), CONDITIONS):
        yield replace(rule, also=also)
