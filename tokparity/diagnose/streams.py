"""Causes of wrong streams: the reference stream with faults, run over the engine's own decoding.

So a cause predicts the exact deltas, however the engine decodes. Without an engine to run, the reference decodes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, islice

from tokparity.case import AnyCase, Case
from tokparity.diagnose.base import Base
from tokparity.diagnose.common_traits import ANEW
from tokparity.diagnose.evidence import Ask, same
from tokparity.diagnose.explanation import Explanation
from tokparity.diagnose.limits.streams import ATTACKS, CLEARLY, FEW, LONG, LONGEST, MOST_FLIPS, SEARCHED
from tokparity.diagnose.predicted_streams import ORIGIN, Answers, Decoded, Names, Predictions, is_given
from tokparity.finding import Attacked, Control, Mismatch, Status
from tokparity.laws import LAWS, TAKES_BACK
from tokparity.outcome import NOT_ASKED
from tokparity.questions import Stream
from tokparity.quirks import of_streams
from tokparity.trait import Trait


def explained(
    base: Base,
    mismatches: Sequence[Mismatch],
    controls: Sequence[Control],
    ask: Ask | None,
    fresh: Ask | None,
    interrupted: Callable[[], bool] = lambda: False,
) -> list[Explanation]:
    """The causes of one engine's wrong streams: each mismatch is given to the fewest faults that reproduce it.

    No cause may change a stream of the `controls`, on which the engine is right. What comes without any fault has
    none: no stream is right there. A `fresh` process is asked for new streams, to refute a cause.
    """
    decoded = Decoded(base, ask)
    ways = Predictions(decoded), Predictions(decoded, by_bytes=True)
    answers = [(m.case.question, m.actual) for m in mismatches if _is_short(m.case)]
    plain = {q for way in ways for (q, _), ours in zip(answers, way.gives((), answers), strict=True) if ours}
    wrong = {i: m for i, m in enumerate(mismatches) if _is_short(m.case) and m.case.question not in plain}
    spared = [(control.case.question, control.outcome) for control in controls if _is_short(control.case)]
    # There are several ways to be right inside a character; faults are put on the one that the engine has.
    found: list[Explanation] = []
    left: Mapping[int, Mismatch] = wrong
    predicted = ways[0]
    for way in ways:
        if not left or interrupted():
            break
        search = _StreamFaults(
            way, wrong, [one for one, ours in zip(spared, way.gives((), spared), strict=True) if ours]
        )
        causes = list(search.causes())
        if len(search.left) < len(left) - (CLEARLY * len(wrong) if way.by_bytes else 0):
            found, left, predicted = causes, search.left, way
    found = list(_with_long_ones(found, predicted, mismatches))
    if fresh is not None:
        found = [_attacked(one, found, predicted, mismatches, fresh) for one in found]
    named = {i for one in found for i in one.members}
    return [*found, *_unexplained([i for i in range(len(mismatches)) if i not in named], mismatches, fresh)]


def _is_short(case: AnyCase) -> bool:
    return isinstance(case.question, Stream) and len(case.question.row) <= LONGEST


def _with_long_ones(
    found: Sequence[Explanation], predicted: Predictions, mismatches: Sequence[Mismatch]
) -> Iterator[Explanation]:
    """The explanations, each with the streams too long for the search that it predicts and none before it does."""
    left = {i for i, m in enumerate(mismatches) if LONGEST < len(getattr(m.case.question, "row", ())) <= LONG}
    for one in found:
        tried = sorted(left)
        answers = [(mismatches[i].case.question, mismatches[i].actual) for i in tried]
        given = zip(tried, predicted.gives(one.quirks, answers), predicted.gives((), answers), strict=True)
        more = {i for i, gives, plain in given if gives and not plain}
        left -= more
        yield replace(one, members=tuple(sorted({*one.members, *more})), verified=one.verified + len(more))


def _sets() -> Iterator[Names]:
    """The fewest faults first."""
    names = [quirk.name for quirk in sorted(of_streams(), key=lambda quirk: quirk.turn)]
    for count in range(1, MOST_FLIPS + 1):
        yield from combinations(names, count)


class _StreamFaults:
    """The sets of faults that reproduce mismatches and leave all that is right alone; `left` are those without one."""

    def __init__(self, predicted: Predictions, wrong: Mapping[int, Mismatch], spared: Answers) -> None:
        self.left = dict(sorted(wrong.items(), key=lambda entry: entry[1].case.question.order))
        self._predicted, self._spared = predicted, spared

    def causes(self) -> Iterator[Explanation]:
        """Subsets of one set that reproduces everything, else whatever sets reproduce the most; the fewest first."""
        every = [(m.case.question, m.actual) for m in self.left.values()]
        whole = next((names for names in _sets() if every and self._gives_all(names, every)), None)
        if whole is not None:
            for count in range(1, len(whole) + 1):
                yield from self._of_size(list(combinations(whole, count)))
            return
        named: set[str] = set()
        for count in range(1, MOST_FLIPS + 1):  # where most faults go together, each is also alone, or beside one other
            sets = [one for one in _sets() if len(one) == count and (count < MOST_FLIPS or named.issuperset(one))]
            for found in self._of_size(sets):
                named.update(found.quirks)
                yield found

    def _gives_all(self, names: Names, answers: Answers) -> bool:
        """Whether it reproduces all of these, and spares the others; a few are tried first."""
        parts = (answers[:FEW], answers[FEW:SEARCHED], self._spared, answers[SEARCHED:])
        return all(all(self._predicted.gives(names, part)) for part in parts)

    def _of_size(self, sets: Sequence[Names]) -> Iterator[Explanation]:
        some = list(self.left.items())[:SEARCHED]
        answers = [(m.case.question, m.actual) for _, m in some]
        counts = {names: sum(self._predicted.gives(names, answers)) for names in sets} if some else {}
        for names in sorted((names for names in sets if counts.get(names)), key=lambda one: -counts[one]):
            if not all(self._predicted.gives(names, self._spared)):
                continue
            given = self._predicted.gives(names, [(m.case.question, m.actual) for m in self.left.values()])
            members = tuple(sorted(i for i, gives in zip(self.left, given, strict=True) if gives))
            if members:
                self.left = {i: m for i, m in self.left.items() if i not in members}
                size = len(self._spared), len(members)
                yield Explanation("decode", "reproduced", members, names, controls=size[0], verified=size[1])


def _unexplained(left: Sequence[int], mismatches: Sequence[Mismatch], fresh: Ask | None) -> Iterator[Explanation]:
    """One for each law; where decoding itself takes text back, that is why no fault of a stream explains it."""
    laws: dict[str, list[int]] = {}
    for i in left:
        laws.setdefault(mismatches[i].difference.law, []).append(i)
    for law, members in laws.items():
        why = LAWS[law] if law == TAKES_BACK else ""
        found = Explanation("decode", "unexplained", tuple(members), why_unexplained=why)
        strays = _strays([mismatches[i] for i in members], fresh)
        yield found if strays is None else replace(found, strays=True, character=(strays,))


def _strays(some: Sequence[Mismatch], fresh: Ask | None) -> Trait | None:
    """That a new process answers some of them otherwise, in another order; None where it answers all as in the run."""
    asked = sorted(some, key=lambda one: one.case.question.order)[:FEW]
    answers = fresh([one.case for one in asked]) if fresh is not None else ()
    told = [(one, its) for one, its in zip(asked, answers, strict=False) if getattr(its, "kind", "") not in NOT_ASKED]
    otherwise = sum(not same(its, one.actual) for one, its in told)
    return Trait(ANEW, "answer", otherwise, len(told)) if otherwise else None


def _attacked(
    one: Explanation, found: Sequence[Explanation], predicted: Predictions, mismatches: Sequence[Mismatch], fresh: Ask
) -> Explanation:
    """The explanation, verified where new streams that its cause changes come as it, or another cause, predicts."""
    new = [*islice(_new([mismatches[i].case.question for i in one.members if _is_short(mismatches[i].case)]), ATTACKS)]
    answers = zip(new, fresh([Case(question, ORIGIN) for question in new]), strict=True)
    answered = {q: answer for q, answer in answers if getattr(answer, "kind", "") not in NOT_ASKED}
    every = tuple(sorted({name for other in found for name in other.quirks}))
    mine, plain = predicted.of(one.quirks, answered), predicted.of((), answered)
    changed = [q for q in answered if mine[q] != plain[q] and predicted.is_wrong(q, mine[q])]
    may_be = [predicted.of(names, changed) for names in (one.quirks, every, *(other.quirks for other in found))]
    otherwise = sum(not any(is_given(given[q], answered[q]) for given in may_be) for q in changed)
    attacked = Attacked(len(changed), len(answered) - len(changed), len(answered), otherwise, fresh=True)
    status: Status = "in part" if otherwise else "verified" if changed else "reproduced"
    return replace(one, status=status, asked=len(answered), attacked=attacked)


def _new(questions: Sequence[object]) -> Iterator[Stream]:
    """Streams made of those of the mismatches: cut, doubled, joined, behind another prompt."""
    streams = sorted((q for q in questions if isinstance(q, Stream)), key=lambda q: q.order)
    made: dict[Stream, None] = {}
    for one, other in zip(streams, [*streams[1:], *streams[:1]], strict=True):
        ids = one.ids
        rows = (ids * 2, ids + other.ids, other.ids + ids, ids[:-1], ids[1:], ids[: len(ids) // 2])
        made |= dict.fromkeys(replace(one, ids=row[: LONGEST // 2]) for row in rows if row)
        cuts = [at for at in (1, 2, len(ids) - 1) if 0 < at < len(ids)]
        made |= dict.fromkeys(replace(one, ids=ids[at:], prefill=ids[:at]) for at in cuts)
        made[replace(one, prefill=())] = made[replace(one, prefill=other.ids[: LONGEST // 2])] = None
    return (question for question in made if question not in streams)
