"""What nothing explains, in groups that have something in common instead of by kind of mismatch."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

from tokparity.diagnose.character.conditional import Conditional
from tokparity.diagnose.character.find import Group, characterise
from tokparity.diagnose.character.seen import Put
from tokparity.diagnose.explanation import Explanation
from tokparity.finding import Control, Mismatch


def grouped(
    explanations: Sequence[Explanation],
    mismatches: Sequence[Mismatch],
    controls: Sequence[Control],
    put: Put | None,
    added: Sequence[str] = (),
    stop: Callable[[], bool] = lambda: False,
) -> list[Explanation]:
    """The explanations, with what is unexplained in groups that say what they have in common, as far as any do.

    A group may hold mismatches of several kinds, and of ids and of decoding: one fault is one group.
    """
    explained = {i for one in explanations if one.quirks for i in one.members}
    left = [i for i in range(len(mismatches)) if i not in explained]
    groups = characterise([mismatches[i] for i in left], controls, put, added, stop)
    groups = [replace(group, members=tuple(left[i] for i in group.members)) for group in groups]
    taken = {i for group in groups for i in group.members}
    kept = [one if one.quirks else replace(one, members=tuple(i for i in one.members if i not in taken))
            for one in explanations]  # fmt: skip
    return [*(one for one in kept if one.members), *(_of(group, explanations) for group in groups)]


def with_conditional(explanations: Sequence[Explanation], found: Conditional, controls: int) -> list[Explanation]:
    """The explanations, with what a quirk under a condition explains taken out of what nothing did."""
    taken = frozenset(found.members)
    kept = [one if one.quirks else replace(one, members=tuple(i for i in one.members if i not in taken))
            for one in explanations]  # fmt: skip
    own = Explanation(
        "ids", "verified", found.members, (found.quirk,), controls=controls, verified=len(found.members),
        asked=found.trait.with_made, character=(found.trait,), condition=found.condition,
        alternatives=found.alternatives,
    )  # fmt: skip
    return [*(one for one in kept if one.members), own]


def _of(group: Group, explanations: Sequence[Explanation]) -> Explanation:
    """The group as an explanation without quirks, of the aspect that most of its members were diagnosed in."""
    members = frozenset(group.members)
    shares = Counter({i: len(members & set(one.members)) for i, one in enumerate(explanations) if not one.quirks})
    most = shares.most_common(1)
    like = explanations[most[0][0]] if most else Explanation("ids", "unexplained", ())
    return replace(like, members=group.members, character=group.traits)
