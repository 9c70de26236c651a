"""What the mismatches that nothing explains have in common: rules that are found, and tested on texts made for them.

Group after group: the smallest mismatch that is left gives candidates (its pattern, by experiments; the lengths from
which texts fail); the one that tells the failing from the right best is tested; those that it
holds for are one group. A rule that its test refutes is dropped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace

from tokparity.diagnose.character.fits import Fit, best_first, fit
from tokparity.diagnose.character.made import Test, tested
from tokparity.diagnose.character.other_texts import other_text
from tokparity.diagnose.character.pattern import flags_of, pattern
from tokparity.diagnose.character.relations import relation
from tokparity.diagnose.character.rewriting import rewriting
from tokparity.diagnose.character.rules import ANY_TEXT, LONGEST_WHOLE, AtLeast, Pattern, Rule, whole
from tokparity.diagnose.character.seen import Asking, Put, Seen, failed, of_control, of_mismatch
from tokparity.diagnose.character.series import edges, grow
from tokparity.diagnose.character.tokens import NONE, Tokens
from tokparity.finding import Control, Mismatch, Trait
from tokparity.questions import Encode

_GROUPS = 6
_QUESTIONS, _DEATHS = 4000, 100
"""Texts that are asked for a group; each of which an engine dies costs a new process."""

_TAKE_LONG = ("timeout", "slow")
"""Ends of kinds of which no texts are made: each that fails as well takes its time."""

_LOOKED_AT = 1000
_SHARE = 0.9
"""Of the texts that a rule holds for, as many fail."""

_NEARLY_ALL = 0.98
_MADE = 10
"""So many texts that have it were made at least."""

_TESTED = 4
_SOME = 0.1
"""Of texts made above an edge as many fail, where not all do."""

_SPARED = 0.1
"""What more of all right texts have as well is no edge."""

_BELOW = 20
"""Of texts below an edge none may fail, so that it is believed though not all above it fail."""

_FEWEST = 3
_SERIES_FROM = 4
"""Characters that a smallest text has at least for its length to be what matters."""

Numbered = tuple[int, Seen]


@dataclass(frozen=True)
class Group:
    """Mismatches, by their places, and what they have in common."""

    members: tuple[int, ...]
    traits: tuple[Trait, ...]


def characterise(
    mismatches: Sequence[Mismatch],
    controls: Sequence[Control],
    put: Put | None,
    stop: Callable[[], bool] = lambda: False,
    tokens: Tokens = NONE,
) -> list[Group]:
    """Groups of the mismatches (by place) that have something in common; each is in one group at most.

    `tokens` are the model's special tokens, each of which is one character of a text.
    """
    right = [replace(of_control(control), tokens=tokens) for control in controls]
    failing = (replace(of_mismatch(mismatch), tokens=tokens) for mismatch in mismatches)
    every = sorted(enumerate(failing), key=lambda found: found[1].size)
    groups: list[Group] = []
    for fails in (False, True):
        left = [(i, seen) for i, seen in every if failed(seen) == fails and not seen.kind.endswith(_TAKE_LONG)]
        groups += _groups(left, right, put, stop, tokens)
    return [_told(group, tokens) for group in groups]


def _is_vague(group: Group) -> bool:
    """Whether many of the texts that were made as it says are right."""
    text = group.traits[0]
    return text.with_failing < _SHARE * text.with_made


def _told(group: Group, tokens: Tokens) -> Group:
    return replace(group, traits=tuple(replace(trait, says=tokens.told(trait.says)) for trait in group.traits))


def _groups(
    left: list[Numbered], right: Sequence[Seen], put: Put | None, stop: Callable[[], bool], tokens: Tokens
) -> Iterator[Group]:
    given_up: list[Numbered] = []
    for _ in range(_GROUPS):
        if not left or stop():
            break
        smallest = left[0][1]
        asking = Asking(put, smallest.question, stop, _DEATHS if failed(smallest) else _QUESTIONS, tokens)
        every = [*left, *given_up]  # what one text did not show, another one may
        group = _by_rule(every, left, right, asking)
        if group is None or len(group.members) < _NEARLY_ALL * len(every) or _is_vague(group):
            # Of equals the one that foretells answers, not only which texts fail.
            each = _by_rewriting(every, left, asking), group, _by_answers(every, right)
            group = max(each, key=lambda one: len(one.members) if one else 0)
        if group is None:  # nothing is known of its kind
            given_up += [one for one in left if one[1].kind == smallest.kind]
            left = [one for one in left if one[1].kind != smallest.kind]
            continue
        yield group
        gone = set(group.members)
        left, given_up = ([one for one in some if one[0] not in gone] for some in (left, given_up))
    rest = sorted([*left, *given_up], key=lambda one: one[1].size)
    if len(rest) >= _FEWEST:
        asking = Asking(None if failed(rest[0][1]) else put, rest[0][1].question, stop, _QUESTIONS, tokens)
        told = _answers(rest, None, asking, right)
        if told and told[0].holds >= _SHARE * told[0].of and "as many ids" not in told[0].says:
            yield Group(_places(rest), told)


def _by_rule(
    every: Sequence[Numbered], left: Sequence[Numbered], right: Sequence[Seen], asking: Asking
) -> Group | None:
    """Those that have in their texts what the smallest that is left has."""
    found = _best(left[0][1], [seen for _, seen in left], right, asking)
    if found is None:
        return None
    rule, test = found
    members = [one for one in every if rule.holds(one[1])]
    trait = _trait(rule, _counted(members, members), _counted(every, members), right, test)
    return Group(_places(members), (trait, *_answers(members, rule, asking)))


def _by_rewriting(every: Sequence[Numbered], left: Sequence[Numbered], asking: Asking) -> Group | None:
    """Those that are answered as what the smallest that is left shows foretells."""
    found = rewriting(left[0][1], [seen for _, seen in left], asking)
    if found is None:
        return None
    held = found.explained([seen for _, seen in every])
    members = [one for one, is_so in zip(every, held, strict=True) if is_so]
    counts = _counted(members, members), _counted(every, members)
    trait = Trait(found.says, "answer", *counts, with_made=found.made, with_failing=found.failing)
    return Group(_places(members), (trait,))


def _by_answers(every: Sequence[Numbered], right: Sequence[Seen]) -> Group | None:
    """All of them, where what came is made of what was expected in one way, which not many faults have."""
    failing = [seen for _, seen in every if not seen.shrunk] or [seen for _, seen in every]
    found = [(one, holds) for one, holds, of in relation(failing, right) if holds >= _NEARLY_ALL * len(failing)]
    if not found or found[0][0].is_loose or len(failing) < _FEWEST:
        return None
    (one, holds), *_ = found
    return Group(_places(every), (Trait(one.says, "answer", holds, len(failing)),))


def _places(members: Sequence[Numbered]) -> tuple[int, ...]:
    return tuple(sorted(place for place, _ in members))


def _counted(some: Sequence[Numbered], members: Sequence[Numbered]) -> int:
    """How many some are: what was shrunk is no further mismatch, unless a group has nothing else."""
    return len(some) if all(seen.shrunk for _, seen in members) else sum(not seen.shrunk for _, seen in some)


def _right(asking: Asking) -> list[Seen]:
    return [seen for seen in asking.seen.values() if not seen.wrong]


def _best(smallest: Seen, left: Sequence[Seen], right: Sequence[Seen], asking: Asking) -> tuple[Rule, Test] | None:
    """The rule that does best and stands its test; None if none does."""
    candidates = list(dict.fromkeys(_candidates(smallest, left, right, asking)))
    asked = list(asking.seen.values())
    fits = best_first(candidates, smallest, left, [*right, *asked])
    for one in fits[:_TESTED]:
        test = tested(one.rule, left, right, asking)
        again = fit(one.rule, left, [*right, *asking.seen.values()])
        if _is_believed(again, test, sum(map(one.rule.holds, right)) / max(len(right), 1)):
            return one.rule, test
    return None


def _is_believed(found: Fit, test: Test, spared: float) -> bool:
    """Whether texts were made of either sort, and each was as the rule foretold; `spared` is the share of all right."""
    only = found.rule.spells if isinstance(found.rule, Pattern) else None
    if test.with_made < min(_MADE, only or _MADE) or not test.without_made or test.without_failing:
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


def _trait(rule: Rule, holds: int, of: int, right: Sequence[Seen], test: Test) -> Trait:
    """The rule with its counts: of the mismatches that nothing else explains, and of what was right in the run."""
    return Trait(rule.says, "text", holds, of, sum(map(rule.holds, right)), len(right), **asdict(test))


def _answers(
    members: Sequence[Numbered], rule: Rule | None, asking: Asking, right: Sequence[Seen] = ()
) -> tuple[Trait, ...]:
    """What the wrong answers have in common."""
    failing = [seen for _, seen in members if not seen.shrunk] or [seen for _, seen in members]
    other, found = other_text(failing, rule, asking), []
    if other is None:
        found = [Trait(one.says, "answer", holds, of) for one, holds, of in relation(failing, right)]
    if other is None and not found:
        other = other_text(failing, rule, asking, decoded=True)
    return (Trait(other[0], "answer", other[1], other[2]),) if other is not None else tuple(found)
