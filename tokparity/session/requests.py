"""Whether an answer depends on the other texts of its request, or on its place among them, and what becomes of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from tokparity.case import AnyCase
from tokparity.diagnose import of_mismatch, relation, same
from tokparity.difference import difference_of
from tokparity.finding import Mismatch
from tokparity.outcome import Encoding, Failure, Outcome
from tokparity.session.asking import AskedEngine
from tokparity.session.fewer import fewer
from tokparity.trait import Trait

_COPIES = 64
"""How often one question stands in a request that shows whether its place counts."""

_MEMBERS = 20
"""Failing texts that stand together in a request, and that are put alone, in a request each."""

Asked = tuple[Mismatch, Sequence[Outcome]]
"""A mismatch, and the answers to a request at whose end it stands."""


def depends_on_request(
    mismatch: Mismatch, members: Sequence[Mismatch], asking: AskedEngine, stop: Callable[[], bool]
) -> tuple[Trait, Mismatch] | None:
    """Of how many texts the answer is right alone and wrong behind others of one request, and the mismatch with these.

    None where a request of its own, behind one of the same questions, gets a wrong answer as well: that is state.
    """
    case = mismatch.case

    def is_wrong(answer: Outcome) -> bool:
        return not isinstance(answer, Failure) and not same(answer, mismatch.expected)

    def spoil(before: Sequence[AnyCase]) -> bool:
        return is_wrong(asking.anew([*before, case])[-1])

    if not same(asking.anew([case])[0], mismatch.expected):
        return None
    copies = asking.anew([case] * _COPIES)
    alike = sorted(
        (one for one in members if one.case.question.alike == case.question.alike),
        key=lambda one: one.case.question.order,
    )
    alike = alike[:: max(len(alike) // _MEMBERS, 1)][-_MEMBERS:]  # the longest last, which is left of others
    others = [one.case for one in alike if one.case.question != case.question]
    # The first of them may be wrong too: then any other text of the request is enough.
    before = [case] * max(next((place for place, answer in enumerate(copies) if is_wrong(answer)), 0), 1)
    before = before if spoil(before) else []
    if not before and others and not stop() and spoil(others):
        before = fewer(others, spoil, stop)
    if not before or is_wrong(asking.after(before, [case])[0]):
        return None
    some = [one for one in alike if before[0] == case or one.case not in before]
    alone = [asking.fresh([one.case])[0] for one in some]
    asked = [(one, asking.fresh([*before, one.case])) for one in some]
    shown = [
        (one, answers)
        for (one, answers), right in zip(asked, alone, strict=True)
        if same(right, one.expected) and not same(answers[-1], one.expected)
    ]
    answer = asking.anew([*before, case])[-1]
    if isinstance(answer, Failure) or isinstance(mismatch.expected, Failure) or not shown:
        return None
    if (difference := difference_of(case, mismatch.expected, answer)) is None:
        return None
    behind = "another text" if len(before) == 1 else f"{len(before)} texts"
    says = f"alone the answer is right; behind {behind} of the same request {next(_changes(shown), 'it is wrong')}"
    beside = tuple(one.question for one in before)
    return Trait(says, "answer", len(shown), len(some)), replace(
        mismatch, actual=answer, difference=difference, beside=beside
    )


def _changes(shown: Sequence[Asked]) -> Iterator[str]:
    """What the wrong answers have in common, the most telling first."""
    rows = [
        (one.expected.ids, answers[-1].ids, max(len(other.ids) for other in answers if isinstance(other, Encoding)))
        for one, answers in shown
        if isinstance(one.expected, Encoding) and isinstance(answers[-1], Encoding)
    ]
    for where, turn in (("behind", 1), ("before", -1)):
        added = {id for right, came, _ in rows for id in came[::turn][len(right) :]}
        filled = ((*right[::turn], *[*added] * (most - len(right))) == came[::turn] for right, came, most in rows)
        if len(added) == 1 and all(filled):
            once = all(len(came) == len(right) + 1 for right, came, _ in rows)
            yield f"the id {min(added)} is added {where} the others{'' if once else ', up to the longest answer'}"
    for one, _, _ in relation([of_mismatch(replace(one, actual=answers[-1])) for one, answers in shown]):
        yield one.says
