"""Texts that are made to test a rule: some fulfill it, and some nearly do."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import islice

from tokparity.diagnose.asking import Asking
from tokparity.diagnose.evidence import Observation
from tokparity.diagnose.families.rules.rules import AtLeast, Pattern, Rule
from tokparity.diagnose.families.rules.series import boundary
from tokparity.diagnose.limits.families import RULE_TEXTS
from tokparity.diagnose.limits.texts import ASKED_CONTEXTS, CONTEXT, CONTEXTS, NEAR_MISS_OF, OTHER_FLAGS
from tokparity.diagnose.policies import Tested

_PLAIN = ("a", " ", ".", "1", "世")
_WORDS = ("", "a", "one two", "x y z", "Hello, world!", "1 + 2", "caf\u00e9", "世界")


def tested(rule: Rule, failing: Sequence[Observation], right: Sequence[Observation], asking: Asking) -> Tested:
    """What came of texts that were made for a rule."""
    asking.allow(RULE_TEXTS)  # for texts are asked to find out how long they must be
    contexts = [seen.text for seen in right if len(seen.text) <= CONTEXT and not rule.holds(seen)]
    texts = list(islice(dict.fromkeys(_texts(rule, failing, contexts, asking)), RULE_TEXTS))
    asking.allow(RULE_TEXTS)
    asking.wrong(texts)
    found = [asking.seen[text] for text in texts if text in asking.seen]
    if isinstance(rule, Pattern):
        found += _with_other_flags(rule, [seen.text for seen in found if rule.holds(seen)], asking)
    held = [seen for seen in found if rule.holds(seen)]
    others = [seen for seen in found if not rule.holds(seen)]
    return Tested(len(held), sum(s.wrong for s in held), len(others), sum(s.wrong for s in others))


def _with_other_flags(rule: Pattern, texts: Sequence[str], asking: Asking) -> Iterator[Observation]:
    """Some of the texts asked with each of the flags that the rule has changed."""
    add, parse = rule.flags.add_special, rule.flags.parse_special
    changed = [] if add is None else [(not add, asking.parse_special)]
    changed += [] if parse is None else [(asking.add_special, not parse)]
    for flags in changed:
        other = asking.with_flags(*flags)
        other.wrong(texts[:OTHER_FLAGS])
        yield from other.seen.values()


def _texts(rule: Rule, failing: Sequence[Observation], right: Sequence[str], asking: Asking) -> Iterator[str]:
    rng, contexts, spared = random.Random(0), [*_WORDS, *right], frozenset(right)
    if isinstance(rule, AtLeast):
        few = ASKED_CONTEXTS if rule.measure.of_ids else CONTEXTS
        yield from boundary(rule, asking, rng.sample(contexts, min(few, len(contexts))))
    if isinstance(rule, Pattern):
        # What fails without it fails for another reason, and is not a text that was made of one that has it.
        held = [seen for seen in failing if rule.holds(seen)]
        without = [_without(rule, seen.text) for seen in held[: RULE_TEXTS // 3]]
        yield from (text for text in without if text)
        if rule.spells:  # beside it nothing may stand, so texts that it is put into are not made
            yield from contexts[:CONTEXTS]
        for _ in range(RULE_TEXTS):
            context = rng.choice(contexts)
            text = _with(rule, context, rng)
            yield text
            # What was right around the pattern is right without it, whatever other faults there are.
            if context in spared and not rng.randrange(NEAR_MISS_OF) and (near_miss := _without(rule, text)):
                yield near_miss


def _with(rule: Pattern, context: str, rng: random.Random) -> str:
    """The pattern somewhere in another text."""
    if rule.of_line:
        place = rng.randint(0, len(context))
        before, after = "\n" if rule.at_start else "", "\n" if rule.at_end else ""
        return context[:place] + before + rule.instance(rng) + after + context[place:]
    place = 0 if rule.at_start else len(context) if rule.at_end else rng.randint(0, len(context))
    if rule.at_start and rule.at_end:
        context, place = "", 0
    return context[:place] + rule.instance(rng) + context[place:]


def _without(rule: Pattern, text: str) -> str:
    """The text with one character of each place that has the pattern replaced by another that does not make it."""
    named = [(len(some), i, one) for i, (one, some) in enumerate(zip(rule.classes, rule.examples, strict=True)) if one]
    if not named:
        return ""
    _, step, narrowest = min(named, key=lambda found: found[:2])
    other = next((c for c in _PLAIN if not narrowest.holds(c)), "")
    for _ in range(40):
        at = rule.place(text)
        if at is None:
            return text
        text = text[: at + step] + other + text[at + step + 1 :]
    return ""
