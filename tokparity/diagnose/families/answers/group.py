"""Groups of mismatches with something in common, and sentences about their answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass

from tokparity.diagnose.asking import Asking
from tokparity.diagnose.base import Base
from tokparity.diagnose.evidence import Observation
from tokparity.diagnose.families.answers.relations import relation
from tokparity.diagnose.families.rules.rules import Rule
from tokparity.diagnose.families.texts.other_texts import other_text
from tokparity.diagnose.policies import Tested, nearly_all_are_so
from tokparity.trait import Trait

Numbered = tuple[int, Observation]
"""A mismatch with its place."""


@dataclass(frozen=True)
class Group:
    """Mismatches, by their places, and what they have in common."""

    members: tuple[int, ...]
    traits: tuple[Trait, ...]
    quirks: tuple[str, ...] = ()
    """Quirks of the catalog of which each alone, as it is, gives all answers of the members."""
    controls: int = 0
    """Right answers that they do not change."""
    model: Base | None = None
    """What the model of the engine is by the hypothesis that predicts the members, where that says it."""
    foretells: Callable[[Observation], bool] | None = None
    """Whether that hypothesis predicts what the engine answered."""


def places(members: Sequence[Numbered]) -> tuple[int, ...]:
    """Theirs, in order."""
    return tuple(sorted(place for place, _ in members))


def by_answers(every: Sequence[Numbered], right: Sequence[Observation]) -> Group | None:
    """All mismatches whose actual answers come from the expected ones in one specific way."""
    failing = [seen for _, seen in every if not seen.shrunk] or [seen for _, seen in every]
    found = [(one, holds) for one, holds, of in relation(failing, right) if nearly_all_are_so(holds, len(failing))]
    if not found or found[0][0].is_loose:
        return None
    (one, holds), *_ = found
    return Group(places(every), (Trait(one.says, "answer", holds, len(failing)),))


def answers(
    members: Sequence[Numbered], rule: Rule | None, asking: Asking, right: Sequence[Observation] = ()
) -> tuple[Trait, ...]:
    """Yield what the wrong answers have in common."""
    failing = [seen for _, seen in members if not seen.shrunk] or [seen for _, seen in members]
    other, found = other_text(failing, rule, asking, right=() if rule else right), []
    if other is None:
        found = [Trait(one.says, "answer", holds, of) for one, holds, of in relation(failing, right)]
    if other is None and not found:
        other = other_text(failing, rule, asking, decoded=True)
    if other is None:
        return tuple(found)
    says, holds, of = other
    return (Trait(says, "answer", holds, of, predicts=rule is not None and holds == of),)


def counted(some: Sequence[Numbered], members: Sequence[Numbered]) -> int:
    """How many some are: what was shrunk is not a further mismatch, unless a group has nothing else."""
    return len(some) if all(seen.shrunk for _, seen in members) else sum(not seen.shrunk for _, seen in some)


def trait_of(rule: Rule, holds: int, of: int, right: Sequence[Observation], test: Tested) -> Trait:
    """The rule with its counts: of the mismatches that nothing else explains, and of what was right in the run."""
    return Trait(rule.sentence, "text", holds, of, sum(map(rule.holds, right)), len(right), **asdict(test))
