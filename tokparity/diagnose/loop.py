"""Finds what unexplained mismatches have in common: rules, which are tested on texts made for them.

It works group by group. The smallest remaining mismatch gives candidates: its pattern, by experiments, and the
lengths from which on texts fail. The candidate that best separates failing texts from right ones is tested. The
mismatches that it holds for are one group.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from tokparity.diagnose.asking import Asking, Put
from tokparity.diagnose.base import Base
from tokparity.diagnose.budget import Budget
from tokparity.diagnose.evidence import Observation, of_control, of_mismatch
from tokparity.diagnose.examined import Examined, judged_by
from tokparity.diagnose.facts import Facts, Family
from tokparity.diagnose.families.answers.group import Group, Numbered, answers, by_answers, counted, places, trait_of
from tokparity.diagnose.families.rules.best import best_rule
from tokparity.diagnose.families.shown import FURTHER, OF_IDS, STORED, proposed
from tokparity.diagnose.families.texts.rewriting import rewritten
from tokparity.diagnose.hypothesis import both, has_other_ids
from tokparity.diagnose.limits.families import (
    DEATHS,
    FEWEST_ALIKE,
    GROUPS,
    HALF,
    LONGEST_ALONE,
    NEARLY_ALL,
    QUESTIONS,
    SHARE,
    STARTS,
    WORK,
    WORK_OF_HYPOTHESES,
)
from tokparity.diagnose.limits.texts import ASKED_FOR_A_SORT
from tokparity.diagnose.tokens import NONE, Tokens
from tokparity.diagnose.tokens import of as tokens_of
from tokparity.diagnose.trial import standing
from tokparity.finding import Control, Mismatch
from tokparity.outcome import Encoding
from tokparity.questions import Decode, Encode
from tokparity.reference.imitate import imitate
from tokparity.trait import Trait

_TAKE_LONG = ("timeout", "slow")
"""Ends of kinds of which no texts are made: each that fails as well takes its time."""


_REST = "what the rest has in common"


def characterise(
    mismatches: Sequence[Mismatch],
    controls: Sequence[Control],
    put: Put | None,
    budget: Budget | None = None,
    base: Base | None = None,
    spoiling: Collection[tuple[str, ...]] = (),
    further: Sequence[Observation] = (),
    nearest: Collection[str] = (),
    is_beside: bool = False,
    beside: tuple[str, Base] | None = None,
) -> list[Group]:
    """Groups of the mismatches (by place) that have something in common; each is in one group at most.

    `base` is the model: each of its special tokens is one character of a text, and variants of it may foretell answers.
    `further` is more that it answered rightly, beside the controls. `beside` is the model with what explains other
    mismatches of the engine, and a sentence about it. For the rest see `Examined`.
    """
    tokens = NONE if base is None else replace(tokens_of(base.vocabulary), decode=partial(_decoded, base))
    right = [replace(seen, tokens=tokens) for seen in (*map(of_control, controls), *further)]
    failing = (replace(of_mismatch(mismatch), tokens=tokens) for mismatch in mismatches)
    given = sorted(enumerate(failing), key=lambda found: found[1].size)
    engine = Examined(put, budget or Budget(WORK), right, tokens, base, spoiling, nearest, is_beside)
    groups: list[Group] = []
    for fails in (False, True):
        left = [(i, seen) for i, seen in given if seen.failed == fails and not seen.kind.endswith(_TAKE_LONG)]
        groups += _groups(left, engine, beside)
    return [_told(group, tokens) for group in groups]


def _decoded(base: Base, ids: Sequence[int]) -> bytes:
    return getattr(imitate(base.tokenizer, Decode(tuple(ids), skip_special=True)), "decoded", None) or b""


def _starts(left: Sequence[Numbered]) -> Iterator[Numbered]:
    """The smallest of the commonest kinds: what is rare may be there by another fault, or show little of this one."""
    kinds = Counter(seen.kind for _, seen in left if not seen.shrunk) or Counter(seen.kind for _, seen in left)
    for kind, _ in kinds.most_common(STARTS):
        yield next(one for one in left if one[1].kind == kind)


def _is_of_nearly_all(group: Group | None, every: Sequence[Numbered]) -> bool:
    return group is not None and len(group.members) >= NEARLY_ALL * len(every)


def _is_contradicted(group: Group) -> bool:
    """Whether some text that is as it says is right."""
    text = group.traits[0]
    return text.about == "text" and (text.spared > 0 or text.with_failing < text.with_made)


def _says_no_answer(group: Group) -> bool:
    """Whether nothing is said of the answers but which texts have wrong ones."""
    return all(trait.about == "text" for trait in group.traits)


def _told(group: Group, tokens: Tokens) -> Group:
    return replace(group, traits=tuple(replace(trait, says=tokens.told(trait.says)) for trait in group.traits))


def _groups(given: Sequence[Numbered], engine: Examined, beside: tuple[str, Base] | None) -> Iterator[Group]:
    left, given_up, seen_as = [*given], list[Numbered](), dict(given)
    families = engine.families([seen for _, seen in given])
    for _ in range(GROUPS):
        if beside is not None:  # what was in vain before is tried again, held against this model
            engine, judged = engine.on_top_of(*beside), judged_by(beside[1], engine.budget)
            now = ((i, judged(seen)) for i, seen in (*left, *given_up))
            left = sorted((one for one in now if one[1].wrong), key=lambda one: one[1].size)
            families, given_up = engine.families([seen for _, seen in left]), []
        if not left or not engine.budget.begins(_REST):
            break
        every = [*left, *given_up]  # what one text did not show, another one may
        group = _of_one_kind(every, left, engine)
        for first in _starts(left) if _size(group) < HALF * len(every) else ():
            shows = [first, *(one for one in left if one is not first)]
            group = max(group, _group(every, shows, engine, families), key=_size)
            if not engine.budget.begins(_REST) or _size(group) >= HALF * len(every):
                break
        if group is None:  # nothing is known of its kind
            kind, beside = next(_starts(left))[1].kind, None
            given_up += [one for one in left if one[1].kind == kind]
            left = [one for one in left if one[1].kind != kind]
            continue
        yield _beside_others(group, engine, [(seen_as[i], seen) for i, seen in every if i in {*group.members}])
        gone = set(group.members)
        left, given_up = ([one for one in some if one[0] not in gone] for some in (left, given_up))
        beside = (group.traits[0].says, group.model) if group.model is not None else None
    yield from _of_the_rest(sorted([*left, *given_up], key=lambda one: one[1].size), engine)


def _beside_others(group: Group, engine: Examined, members: Iterable[tuple[Observation, Observation]]) -> Group:
    """The group; where some of its answers show what the model has in it already, its sentence says that as well.

    Of each member it is told how it was seen first, and how it is seen now.
    """
    first, *traits = group.traits
    if first.about == "text" or all(before.expected == now.expected for before, now in members):
        return group
    return replace(group, traits=(replace(first, says=both(engine.already, first.says)), *traits), quirks=())


def _of_one_kind(every: Sequence[Numbered], left: Sequence[Numbered], engine: Examined) -> Group | None:
    """What the ids of the commonest kind show by themselves, where another fault hides it from all of them."""
    like = next(_starts(left))[1]
    of_kind = [one for one in left if one[1].kind == like.kind]
    asking = engine.asking(like, QUESTIONS)
    if like.failed or not asking.can or len(of_kind) in (1, len(left)):
        return None
    is_shown = _by_hypothesis(every, left, asking, engine, OF_IDS)
    return None if is_shown else _by_hypothesis(every, of_kind, asking, engine, OF_IDS)


def _of_the_rest(rest: Sequence[Numbered], engine: Examined) -> Iterator[Group]:
    """Where no text shows what is wrong: what the wrong answers have in common, all of them or those of one kind."""
    if len(rest) < FEWEST_ALIKE:
        return
    told = answers(rest, None, engine.asking(rest[0][1], 0 if rest[0][1].failed else QUESTIONS), engine.right)
    if told and told[0].holds >= SHARE * told[0].of and "as many ids" not in told[0].says:
        yield Group(places(rest), told)
        return
    for kind in dict.fromkeys(seen.kind for _, seen in rest):
        group = by_answers([one for one in rest if one[1].kind == kind], engine.right)
        if group is not None:
            yield group


def _group(
    every: Sequence[Numbered], left: Sequence[Numbered], engine: Examined, families: Sequence[tuple[str, Family]]
) -> Group | None:
    """The best that the first of those that are left shows; None where it shows nothing."""
    first = left[0][1]
    asking = engine.asking(first, DEATHS if first.failed else QUESTIONS)
    # Of plain ones first; so that some work is left for rules, not all is done on them.
    variant = _by_hypothesis(every, left, asking.within(WORK_OF_HYPOTHESES), engine, families, FURTHER)
    group = variant if _is_of_nearly_all(variant, every) else _by_rule(every, left, engine.right, asking)
    is_enough = group is not None and not _is_contradicted(group) and not _says_no_answer(group)
    if is_enough and _is_of_nearly_all(group, every):
        return group
    # Of equals the one that the catalog has, then one that foretells answers, not only which texts fail.
    if not first.failed:
        asking.allow(ASKED_FOR_A_SORT)  # the search for a rule may have asked all that it was allowed
    rewriting = _by_hypothesis(every, left, asking, engine, (("other texts", rewritten),))
    named = variant if variant is not None and variant.quirks else None
    return max(named, rewriting, variant, group, by_answers(every, engine.right), key=_size)


def _size(group: Group | None) -> int:
    return len(group.members) if group else 0


def _by_rule(
    every: Sequence[Numbered], left: Sequence[Numbered], right: Sequence[Observation], asking: Asking
) -> Group | None:
    """Those that have in their texts what the smallest that is left has."""
    found = best_rule(left[0][1], [seen for _, seen in left], right, asking)
    if found is None:
        return None
    rule, test = found
    members = [one for one in every if rule.holds(one[1])]
    if len(members) == 1 < len(every) and left[0][1].question.size > LONGEST_ALONE:
        return None  # that a text contains all of a long one says nothing of the others
    trait = trait_of(rule, counted(members, members), counted(every, members), right, test)
    return Group(places(members), (trait, *answers(members, rule, asking)))


def _by_hypothesis(
    every: Sequence[Numbered],
    left: Sequence[Numbered],
    asking: Asking,
    engine: Examined,
    families: Sequence[tuple[str, Family]],
    further: Sequence[tuple[str, Family]] = (),
) -> Group | None:
    """Those that are answered as a hypothesis predicts which the smallest of them shows."""
    smallest, base = left[0][1], engine.base
    families = STORED if asking.is_stored else families
    if base is None or not has_other_ids(smallest) or not (asking.can or asking.is_stored):
        return None
    facts = Facts(smallest, [seen for _, seen in left], engine.right, asking, base, engine.is_beside)
    found = standing(proposed(families, facts), facts, partial(proposed, further))
    if found is None:
        return None
    held = found.explained([seen for _, seen in every])
    members = [one for one, is_so in zip(every, held, strict=True) if is_so]
    counts = counted(members, members), counted(every, members)
    made = {"with_made": found.made, "with_failing": found.failing, "without_made": found.odd}
    trait = Trait(found.says, "answer", *counts, **made, predicts=True)
    controls = sum(isinstance(seen.actual, Encoding) and isinstance(seen.question, Encode) for seen in engine.right)
    one = found.hypothesis
    return Group(places(members), (trait,), getattr(one, "quirks", ()), controls, one.model, engine.foretold_by(one))
