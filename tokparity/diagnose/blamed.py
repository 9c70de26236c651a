"""Where an engine's decoding takes text back, no stream can be right: which rows it decodes wrongly, and why."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import islice

from tokparity.case import Case
from tokparity.diagnose.base import Base
from tokparity.diagnose.evidence import Ask
from tokparity.diagnose.explanation import Explanation
from tokparity.diagnose.limits.streams import LONGEST
from tokparity.difference import difference_of
from tokparity.finding import Control, Mismatch
from tokparity.laws import TAKES_BACK
from tokparity.outcome import Decoding, Outcome
from tokparity.questions import Decode, Stream
from tokparity.vocabulary import pieces_at

Diagnosed = Callable[[Sequence[Mismatch], Sequence[Control]], Sequence[Explanation]]
"""What explains rows of ids that are decoded wrongly."""


def with_blamed(
    base: Base, mismatches: Sequence[Mismatch], found: Sequence[Explanation], ask: Ask | None, diagnosed: Diagnosed
) -> list[Explanation]:
    """The explanations of streams; those without a cause whose decoding is to blame have the cause of its first row.

    `ask` runs the engine's decoding; without it nothing changes.
    """
    members = sorted(i for one in found if not one.quirks for i in one.members)
    blamed_ones = {i: cases for i in members if (cases := _beginnings(mismatches[i]))}
    if ask is None or not blamed_ones:
        return list(found)
    answers = iter(ask([case for cases in blamed_ones.values() for case in cases]))
    rows: dict[int, Mismatch] = {}
    right: list[Control] = []
    for i, cases in blamed_ones.items():
        wrong, before = _first_wrong(base, mismatches[i], list(zip(cases, islice(answers, len(cases)), strict=True)))
        right += before
        if wrong is not None:
            rows[i] = wrong
    causes = [one for one in diagnosed(list(rows.values()), right) if one.quirks] if rows else []
    places = list(rows)
    blamed = [replace(one, members=tuple(places[n] for n in one.members)) for one in causes]
    named = {i for one in blamed for i in one.members}
    left = (replace(one, members=tuple(i for i in one.members if i not in named)) for one in found)
    return [*(one for one in left if one.members), *blamed]


def _beginnings(mismatch: Mismatch) -> list[Case[Decode]]:
    """All beginnings of a stream whose engine's decoding takes text back; none of another one, or of a long one."""
    stream = mismatch.case.question
    if not isinstance(stream, Stream) or mismatch.difference.law != TAKES_BACK or len(stream.row) > LONGEST:
        return []
    every, hides = (*stream.prefill, *stream.ids), stream.skip_special
    return [Case(Decode(every[:count], hides), mismatch.case.origin) for count in range(1, len(every) + 1)]


def _first_wrong(
    base: Base, mismatch: Mismatch, answers: Sequence[tuple[Case[Decode], Outcome]]
) -> tuple[Mismatch | None, list[Control]]:
    """The shortest beginning of a stream's ids that is decoded wrongly, and the shorter ones, which are not."""
    right: list[Control] = []
    for case, actual in answers:
        if not isinstance(actual, Decoding):
            break
        expected = Decoding(base.tokenizer.decode(case.question.ids, case.question.skip_special))
        if (difference := difference_of(case, expected, actual)) is not None:
            pieces = pieces_at(base.vocabulary.pieces, case.question.ids)
            wrong = replace(mismatch, case=case, expected=expected, actual=actual, difference=difference)
            return replace(wrong, expected_pieces=pieces, actual_pieces=pieces), right
        right.append(Control(case, mismatch.model, mismatch.engine, actual))
    return None, right
