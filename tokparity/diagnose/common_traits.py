"""Groups unexplained mismatches by what they have in common, instead of by kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import partial

from tokparity.case import AnyCase
from tokparity.diagnose.asking import Put, remembering
from tokparity.diagnose.base import Base
from tokparity.diagnose.budget import Budget
from tokparity.diagnose.evidence import Observation, same
from tokparity.diagnose.examined import with_quirks
from tokparity.diagnose.explanation import Explanation, completed
from tokparity.diagnose.families.answers.group import Group
from tokparity.diagnose.limits.families import AGAIN, LARGE, PUT_AGAIN, PUT_ALONE, PUT_TOGETHER, SHARE, WORK
from tokparity.diagnose.loop import characterise
from tokparity.diagnose.policies import is_doubtful, nearly_all_are_so
from tokparity.finding import Attacked, Control, Mismatch
from tokparity.outcome import LATE, NOT_ASKED, Outcome
from tokparity.quirk import SOURCE_DIFFERS
from tokparity.trait import Trait

_COMES_AGAIN = "whether the answers come again"

ANEW = "put again to a new process, the engine answers otherwise than it did in the run"

Anew = Callable[[Sequence[AnyCase]], Sequence[Outcome]]
"""What a new process answers to some cases."""

Strays = tuple[tuple[int, ...], Trait | None]


def characterised(
    explanations: Sequence[Explanation],
    mismatches: Sequence[Mismatch],
    controls: Sequence[Control],
    anew: Anew | None = None,
    put: Put | None = None,
    over: Callable[[], bool] = lambda: False,
    base: Base | None = None,
    known: Collection[str] = (),
    asked: Sequence[AnyCase] = (),
    interrupted: Callable[[], bool] = lambda: False,
    work: float = WORK,
) -> list[Explanation]:
    """The explanations, with the unexplained mismatches in groups that say what they have in common.

    A group may hold mismatches of several kinds, and of ids and of decoding: one fault is one group. `anew` runs a new
    process at each call. If it shows that answers depend on more than the text, only that is reported. Without `anew`
    and `put` the engine is one that nobody can ask any more. `known` are the quirks that the engine is known to have,
    which are doubted by nothing. At most so much `work` is done. Once it is `over` nothing more is begun, and it is
    said what was not; `interrupted` ends it. What was `asked` to test quirks counts, too: a right answer among it
    refutes more than a random text.
    """
    known = frozenset(known)
    taken = {i for one in explanations if one.quirks for i in one.members}
    left = [i for i in range(len(mismatches)) if i not in taken]
    if not left or over() or any(one.undiagnosed for one in explanations):
        return list(explanations)
    budget = Budget(work, over=over, interrupted=interrupted)
    put = remembering(put) if put else None
    explained = list(explanations)
    alone = 1 if base and len(base.vocabulary) >= LARGE else PUT_ALONE
    strays, trait = _strays(left, mismatches, anew, budget, alone) if anew else ((), None)
    if trait is not None:
        # What quirks say of it says nothing: it was not a fault of the text.
        of_strays = as_explanation(Group(strays, (trait,)), explained)
        of_strays = replace(of_strays, strays=True, near_misses=(), ruled_out=())
        explained = [*_without(explained, strays), of_strays]
        left = sorted(set(left).difference(strays))
    doubtful = [one for one in explained if _is_doubtful(one) and not known.issuperset(one.quirks)] if left else []
    spoiling, nearest = _of_near_misses(explanations)
    right = _right_again(asked, put) if put and left and not over() else []

    def groups_of(members: Sequence[int]) -> list[Group]:
        others = [one for one in explanations if one.quirks and not {*one.members} <= {*members}]
        some = [mismatches[i] for i in members]
        of = partial(characterise, some, controls, put, budget, base, spoiling, right, nearest, bool(others))
        found = _beside(of, base, others, len(members))
        return [replace(group, members=tuple(members[i] for i in group.members)) for group in found]

    found = completed(_of_one_error(_with_groups(explained, left, doubtful, groups_of), mismatches))
    return [_with_what_was_not_begun(one, budget) for one in found] if budget.not_begun else found


def _beside(
    of: Callable[..., list[Group]], base: Base | None, others: Sequence[Explanation], members: int
) -> list[Group]:
    """The groups of mismatches held against the model with what explains the others, or against the model itself.

    The second where the first leaves some ungrouped and predicts fewer of them.
    """
    names = [name for one in sorted(others, key=lambda one: -len(one.members)) for name in one.quirks]
    found = of(by) if base and (by := with_quirks(base, names)) else []
    return found if _members_of(found) >= SHARE * members else max(of(), found, key=_predicted)


def _of_one_error(explained: Sequence[Explanation], mismatches: Sequence[Mismatch]) -> list[Explanation]:
    """The explanations, where a group all of which fails with one message has all that fails with it."""
    said = [getattr(mismatch.actual, "message", None) for mismatch in mismatches]
    merged = list(explained)
    for place, one in enumerate(merged):
        messages = {said[i] for i in one.members}
        if one.character and not one.quirks and len(messages) == 1 and None not in messages:
            others = [o for n, o in enumerate(merged) if n != place and not (o.quirks or o.character)]
            more = {i for other in others for i in other.members if said[i] in messages}
            merged[place] = replace(one, members=tuple(sorted({*one.members, *more})))
            merged = [_less(other, more) if other in others else other for other in merged]
    return [one for one in merged if one.members]


def _less(one: Explanation, gone: Collection[int]) -> Explanation:
    return replace(one, members=tuple(i for i in one.members if i not in gone))


def _predicted(groups: Sequence[Group]) -> int:
    """Of how many mismatches the very answers are told."""
    return sum(len(group.members) for group in groups if group.traits[0].predicts)


def _of_near_misses(explanations: Sequence[Explanation]) -> tuple[frozenset[tuple[str, ...]], dict[str, None]]:
    """The quirks that change what the engine has right, and those that alone explain nearly all that they change."""
    misses = [miss for one in explanations for miss in one.near_misses]
    alone = [miss for miss in misses if len(miss.quirks) == 1 and miss.quirks[0] != SOURCE_DIFFERS]
    near = (miss for miss in alone if nearly_all_are_so(len(miss.explained), len(miss.run_on)))
    return frozenset(miss.quirks for miss in misses if miss.spoilt), {miss.quirks[0]: None for miss in near}


def _right_again(asked: Sequence[AnyCase], put: Put) -> list[Observation]:
    """Of what was asked to test quirks, the shortest texts that the engine has right."""
    again = sorted({case.question: case for case in asked}.values(), key=lambda case: case.question.size)[:PUT_AGAIN]
    return [seen for seen in put(again) if seen is not None and not seen.wrong]


def _with_groups(
    explained: list[Explanation],
    left: Sequence[int],
    doubtful: Sequence[Explanation],
    groups_of: Callable[[Sequence[int]], list[Group]],
) -> list[Explanation]:
    """What is explained, and groups of the mismatches that are left.

    A rule that holds both for what a quirk explains and for what it does not is the better explanation. If one is
    found, the doubtful mismatches are unexplained.
    """
    in_doubt = {i for one in doubtful for i in one.members}
    groups = groups_of(sorted({*left, *in_doubt}))
    if in_doubt:
        grouped = {i for group in groups for i in group.members}
        if any(len(grouped & {*one.members}) < SHARE * len(one.members) for one in doubtful):
            without = [replace(one, members=tuple(i for i in one.members if i not in in_doubt)) for one in groups]
            groups = max(groups_of(left), [one for one in without if one.members], key=_members_of)  # if time was up
        else:
            explained = [one for one in explained if one not in doubtful]
            explained += [_unexplained(one) for one in doubtful]
    grouped = {i for group in groups for i in group.members}
    return [*_without(explained, grouped), *(as_explanation(group, explained) for group in groups)]


def _with_what_was_not_begun(one: Explanation, budget: Budget) -> Explanation:
    """The explanation; where there is none, with what might have given one if there had been time for it."""
    if one.quirks or one.strays:
        return one
    return replace(one, why_unexplained=budget.told_beside(one.why_unexplained))


def _members_of(groups: Sequence[Group]) -> int:
    return sum(len(one.members) for one in groups)


def _is_doubtful(one: Explanation) -> bool:
    """Whether much that looks like what is explained is not."""
    return one.rest is not None and is_doubtful(one.status, len(one.members), one.rest.mismatches)


def _unexplained(one: Explanation) -> Explanation:
    """The members of an explanation that is no longer believed."""
    return Explanation(one.aspect, "unexplained", one.members)


def _strays(left: Sequence[int], mismatches: Sequence[Mismatch], anew: Anew, budget: Budget, alone: int) -> Strays:
    """Which of the mismatches a new process answers otherwise, asked for all of them, or for one alone; and how many.

    What is wrong by chance, or because of other texts, recurs if they run together. So if one of them does not recur
    alone, none is believed to.
    """
    asked = [i for i in left if mismatches[i].difference.failure not in LATE]
    # What was made smaller may stand just at an edge (of the stack, say), which is elsewhere in the next process.
    asked = [i for i in asked if not mismatches[i].case.origin.shrunk] or asked
    asked = sorted(asked, key=lambda i: mismatches[i].case.question.order)[:PUT_TOGETHER]
    if not asked or not budget.begins(_COMES_AGAIN):
        return (), None
    strays, answered = _otherwise(asked, mismatches, anew(tuple(mismatches[i].case for i in reversed(asked)))[::-1])
    come_again = [i for i in asked if i not in strays]
    firsts = {mismatches[i].kind: i for i in reversed(come_again)}
    for i in list(dict.fromkeys((*firsts.values(), *come_again)))[:alone]:
        if not budget.begins(_COMES_AGAIN):
            break
        # In a request of its own, and with itself: either may change the answer.
        each = (1, AGAIN) if mismatches[i].difference.failure is None else (1,)
        if any(_otherwise([i] * times, mismatches, anew((mismatches[i].case,) * times))[0] for times in each):
            strays.append(i)
            return tuple(left), Trait(ANEW, "answer", len(strays), answered)
    if not strays:
        return (), None
    nearly_all = len(strays) >= SHARE * answered
    return tuple(left) if nearly_all else tuple(strays), Trait(ANEW, "answer", len(strays), answered)


def _otherwise(
    asked: Sequence[int], mismatches: Sequence[Mismatch], outcomes: Sequence[Outcome]
) -> tuple[list[int], int]:
    """The mismatches that were answered otherwise, and how many were answered at all."""
    silent = (*NOT_ASKED, *LATE)
    answers = [(i, one) for i, one in zip(asked, outcomes, strict=True) if getattr(one, "kind", "") not in silent]
    return [i for i, answer in answers if not same(answer, mismatches[i].actual)], len(answers)


def _without(explanations: Sequence[Explanation], taken: Collection[int]) -> list[Explanation]:
    """The explanations; those without quirks without the members that are taken."""
    gone = set(taken)
    kept = (one if one.quirks else _less(one, gone) for one in explanations)
    return [one for one in kept if one.members]


def as_explanation(group: Group, explanations: Sequence[Explanation]) -> Explanation:
    """The group as an explanation, of the aspect that most of its members were diagnosed in.

    It has a quirk where one as it is gives the answers. It has it in part: the catalog's search refused the quirk for
    what other mismatches say.
    """
    members = frozenset(group.members)
    shares = Counter({i: len(members & set(one.members)) for i, one in enumerate(explanations) if not one.quirks})
    most = shares.most_common(1)
    like = explanations[most[0][0]] if most else Explanation("ids", "unexplained", ())
    # That the catalogue was not searched to its end says no more where something was found otherwise.
    found = replace(like, members=group.members, character=group.traits, why_unexplained="", foretells=group.foretells)
    if not group.quirks:
        return found
    (trait, *_), names = group.traits, [(name,) for name in group.quirks]
    asked = trait.with_made + trait.without_made
    attacked = Attacked(changes=trait.with_failing, asked=asked, otherwise=trait.without_made)
    part = replace(found, status="in part", quirks=names[0], alternatives=tuple(names[1:]), attacked=attacked)
    return replace(part, character=(), near_misses=(), verified=len(members), controls=group.controls)
