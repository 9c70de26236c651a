"""Texts that an engine is right about, and late: found, made smaller, told with their time."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tokparity.case import AnyCase, text_case
from tokparity.questions import Encode
from tokparity.session.fresh import Fresh
from tokparity.session.pace import Pace
from tokparity.session.slow import finding, slowest, smaller, worst
from tokparity.sources.stress import Timed

TEXTS = [f"text number {i}" for i in range(400)]


@dataclass
class Sleepy(Fresh):
    """An engine that takes a tenth of a second and more for five equal letters, and next to nothing for all else."""

    def __init__(self) -> None:
        self.asked = 0

    def seconds(self, cases: Sequence[AnyCase]) -> float:
        """As long as it would take."""
        self.asked += len(cases)
        texts = [case.question.text for case in cases if isinstance(case.question, Encode)]
        return sum(0.3 if re.search(rb"([a-z])\1{4}", text) else 2e-5 for text in texts)


def pace(texts: Sequence[str]) -> Pace:
    """The pace of a run of these texts in one batch."""
    cases = [text_case(text.encode()) for text in texts]
    found = Pace()
    found.add(cases, Sleepy().seconds(cases))
    return found


def test_a_slow_text_is_found_and_made_smaller() -> None:
    """Of 400 texts one is slow; what is told is the shortest that is."""
    engine, known = Sleepy(), pace([*TEXTS[:123], "oh my zzzzzzz, what", *TEXTS[123:]])
    case = slowest(engine, known, lambda: False)
    assert case is not None
    small = smaller(engine, known, case, lambda: False)
    assert b"aaaaa" == small.question.shown
    told = finding(engine, known, small, "m", "e", "o")
    assert ("slow", 0) == (told.sort, told.mismatches)
    assert "15,000 times" in told.why_unexplained
    assert "300 ms" in told.why_unexplained


def test_slow_texts_in_every_batch_hide_nothing() -> None:
    """One in seventeen, in all batches: what is usual is told from the quicker ones."""
    many = [("x" * 9 if i % 17 == 0 else text) for i, text in enumerate(TEXTS)]
    assert slowest(Sleepy(), pace(many), lambda: False) is not None


def test_an_even_pace_is_no_finding() -> None:
    """However long it all takes."""
    known = Pace()
    known.add([text_case(text.encode()) for text in TEXTS], 40.0)
    assert slowest(Sleepy(), known, lambda: False) is None


def test_growth_beyond_n_log_n() -> None:
    """The square is told, n log n is not, nor what is over at once."""

    def times(*seconds: float) -> list[Timed]:
        return [Timed(10 ** (3 + i), s, text_case(b"a")) for i, s in enumerate(seconds)]

    found = worst(times(0.01, 1.0, 100.0))
    assert found is not None
    assert 2.0 == round(found.power, 3)
    assert worst(times(0.1, 1.3, 17.0)) is None
    assert worst(times(1e-6, 1e-2)) is None
