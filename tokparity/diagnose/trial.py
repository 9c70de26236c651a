"""Tests a hypothesis against all known answers, and against texts made to refute it.

A hypothesis predicts every answer, wrong or right. So one wrong prediction, or one right answer that it would spoil,
refutes it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import cycle, islice

from tokparity.diagnose.evidence import Observation
from tokparity.diagnose.facts import Facts
from tokparity.diagnose.hypothesis import Hypothesis, Variant, changes, foretells, has_other_ids, of_both, refuted_by
from tokparity.diagnose.limits.families import (
    AROUND,
    COMPARED,
    CONTROLS,
    FEWEST,
    FEWEST_FOR_A_NUMBER,
    HALF,
    SHARE,
    TOGETHER,
    TRIAL_TEXTS,
    TRIED,
    TRIED_UNDER,
    WORTH,
)
from tokparity.diagnose.policies import beside_another_fault, predicts_enough, stored_is_enough
from tokparity.diagnose.under_condition import under_conditions
from tokparity.outcome import Encoding
from tokparity.questions import Encode

_CONTEXTS = ("", "a", "one two ", "x y  z", "1 + 2", "café ", " b", "\n", "A1")
_PLAIN = ("Hello, world! 12", "it's 3:45 pm", "naïve café", "世界人大", "\t x\n\ny", "a\U0001f600 b")


More = Callable[[Facts], Iterable[Hypothesis]]
"""The further hypotheses that something shows which the best so far does not predict."""


@dataclass(frozen=True)
class Stood:
    """A hypothesis that stood its trial: it predicted `made` texts, of which `failing` are answered wrongly.

    `odd` more are answered wrongly in another way.
    """

    hypothesis: Hypothesis
    made: int
    failing: int
    odd: int = 0

    @property
    def says(self) -> str:
        """A clause on the answers."""
        return self.hypothesis.sentence

    def explained(self, some: Sequence[Observation]) -> list[bool]:
        """For each of what was seen whether its ids are wrong and as was predicted."""
        return [has_other_ids(seen) and foretells(self.hypothesis, seen) for seen in some]


def standing(hypotheses: Iterable[Hypothesis], facts: Facts, more: More) -> Stood | None:
    """The hypothesis that predicts most mismatches and every text made to refute it; None if none does.

    Of those that predict as much the first one counts, so they should come with the plainest first. Where the best
    does not predict all, the smallest text that speaks against it may show what `more` is otherwise.
    """
    every = [seen for seen in facts.failing if has_other_ids(seen)]
    failing = every[:: max(len(every) // COMPARED, 1)][:COMPARED]
    best: tuple[int, Stood | None] = 0, None
    for _ in range(TOGETHER):
        counted = []
        for one in hypotheses:
            count = sum(foretells(one, seen) for seen in failing)
            if count and count == len(failing) and (stood := _tested(one, every, facts)):
                return stood  # none predicts more
            counted.append((one, count))
        counted.sort(key=lambda found: -found[1])
        for one, count in counted[:TRIED]:
            enough = max(min(FEWEST, len(failing)), SHARE * sum(changes(one, seen) for seen in failing))
            if count >= enough and count > best[0] * WORTH:
                stood = _tested(one, every, facts)
                best = (count, stood) if stood else best
        if best[1] is None and (stood := _under_a_condition(counted, every, facts)):
            best = sum(foretells(stood.hypothesis, seen) for seen in failing), stood
        enough = max(HALF * len(failing), FEWEST_FOR_A_NUMBER)
        if best[0] == len(failing) or not counted or counted[0][1] < enough:
            break
        first = counted[0][0]
        against = _against(first, [*failing, *facts.asking.seen.values()])
        if first.model is None or against is None or not facts.asking.can:
            break
        others = more(facts.about(against, first.model))
        hypotheses = [of_both(first, one) for one in others if isinstance(one, Variant)]
    return best[1]


def _under_a_condition(
    counted: Sequence[tuple[Hypothesis, int]], left: Sequence[Observation], facts: Facts
) -> Stood | None:
    """The first of what predicted most, and was refuted, that stands its trial where some condition holds."""
    for one, count in counted[:TRIED_UNDER]:
        if count >= FEWEST and facts.asking.can:
            stood = (_tested(narrower, left, facts) for narrower in under_conditions(one, facts))
            if found := next((one for one in stood if one is not None), None):
                return found
    return None


def _against(one: Hypothesis, some: Iterable[Observation]) -> Observation | None:
    """The smallest of what was seen that a hypothesis predicts wrongly."""
    wrongly = [seen for seen in some if isinstance(seen.actual, Encoding) and not foretells(one, seen)]
    return min(wrongly, key=lambda seen: seen.size, default=None)


def _tested(one: Hypothesis, left: Sequence[Observation], facts: Facts) -> Stood | None:
    """The hypothesis if it predicts what is put to refute it, all that was right, and nearly all of what it changes."""
    if facts.asking.is_stored:
        return _held_by_what_is_stored(one, left, facts)
    rng, asking = random.Random(0), facts.asking
    # A text that it does not predict shows another fault, and would do so again with something beside it.
    predicted = [seen for seen in left if foretells(one, seen)]
    own, around = (_beside(some, rng) for some in (one.probes, [seen.spelled for seen in predicted[:AROUND]]))
    shown = [*one.probes, *own, *around]
    texts = list(dict.fromkeys((*_CONTEXTS, *_PLAIN, *rng.sample(shown, len(shown)))))[:TRIAL_TEXTS]
    foretold = len(predicted)
    is_open = facts.is_beside or foretold < len(left)
    # What was asked for another hypothesis may refute this one as well.
    if _odd(one, [asking.seen[text] for text in texts if text in asking.seen], is_open) is None:
        return None
    controls = [seen for seen in facts.right if isinstance(seen.question, Encode) and isinstance(seen.actual, Encoding)]
    if any(refuted_by(one, seen) for seen in controls[:: max(len(controls) // CONTROLS, 1)][:CONTROLS]):
        return None
    asking.allow(len(texts))
    asking.wrong(texts)
    found = [seen for text in texts if (seen := asking.seen.get(text)) is not None]
    odd = _odd(one, found, is_open)
    if odd is None:
        return None
    wrong = sum(map(has_other_ids, found)) - odd
    if len(found) < len(texts) // 2 or not wrong:
        return None
    if foretold < FEWEST:  # one mismatch that is put again with something beside it speaks for anything
        apart = [asking.seen[text] for text in {*texts} - {*around} if text in asking.seen]
        wrong = sum(has_other_ids(seen) and foretells(one, seen) for seen in apart)
    if not predicts_enough(foretold, sum(changes(one, seen) for seen in left), wrong):
        return None
    return None if any(refuted_by(one, seen) for seen in controls) else Stood(one, len(found) - odd, wrong, odd)


def _odd(one: Hypothesis, found: Sequence[Observation], is_open: bool) -> int | None:
    """How many of the texts are answered wrongly in another way than predicted; None where that refutes it.

    Another fault is open where other mismatches are not predicted, or known quirks explain some. A text that was made
    may show it as well. A right answer that would be spoiled always refutes.
    """
    against = [seen for seen in found if refuted_by(one, seen)]
    if any(not (has_other_ids(seen) or seen.failed) for seen in against):
        return None
    return len(against) if beside_another_fault(len(found), len(against), is_open) else None


def _held_by_what_is_stored(one: Hypothesis, left: Sequence[Observation], facts: Facts) -> Stood | None:
    """The hypothesis if it predicts all that is stored of an engine that cannot be asked, and that is enough."""
    if any(refuted_by(one, seen) for seen in (*facts.right, *left)):
        return None
    held = [seen for seen in left if foretells(one, seen)]
    is_learned = getattr(one, "is_learned", True)
    enough = stored_is_enough(len(held), len(left), sum(len(_given(seen)) for seen in held), is_learned)
    return Stood(one, 0, 0) if enough else None


def _given(seen: Observation) -> Sequence[int]:
    return seen.actual.ids if isinstance(seen.actual, Encoding) else ()


def _beside(texts: Sequence[str], rng: random.Random) -> list[str]:
    """The texts again and again, with something beside them."""
    return [rng.choice(_CONTEXTS) + text + rng.choice(_CONTEXTS) for text in islice(cycle(texts), TRIAL_TEXTS)]
