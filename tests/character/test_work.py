"""Work is counted: how busy the machine is changes nothing of what is said; the clock decides what is not begun."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import pytest
import unlisted_faults
from faulty_panel import FAULTY, searched, source

from tokparity.case import AnyCase
from tokparity.diagnose.base import Base
from tokparity.diagnose.budget import Budget
from tokparity.diagnose.common_traits import characterised
from tokparity.diagnose.evidence import Observation
from tokparity.diagnose.explanation import Explanation
from tokparity.diagnose.loop import characterise
from tokparity.outcome import Outcome
from tokparity.session.more_cases import Putting

MODEL = "small-bpe"


@contextmanager
def busy() -> Iterator[None]:
    """Two other processes that keep processors busy."""
    others = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(2)]
    try:
        yield
    finally:
        for other in others:
            other.kill()
            other.wait()


@pytest.fixture(scope="module")
def evidence() -> tuple[Putting, Base, list, list]:  # type: ignore[type-arg]
    """What a short search finds, and who can be asked for more."""
    panel, recorder = searched(MODEL, unlisted_faults.DropsIndents)
    kept, said = recorder.evidence[FAULTY], source(MODEL)
    put = Putting(panel, recorder.judge, FAULTY, lambda: False)
    return put, Base(said.vocabulary, said.behaviour), kept.mismatches, kept.controls


def test_the_same_is_said_on_a_busy_machine(evidence) -> None:  # type: ignore[no-untyped-def]
    """Of the same evidence, byte for byte."""
    put, base, mismatches, controls = evidence
    idle = characterise(mismatches, controls, put, base=base)
    with busy():
        again = characterise(mismatches, controls, put, base=base)
    assert repr(idle).encode() == repr(again).encode()
    assert idle


def test_what_was_not_begun_is_said(evidence) -> None:  # type: ignore[no-untyped-def]
    """Where time is up, the families that were not tried are named."""
    put, base, mismatches, controls = evidence
    answers = {one.case: one.actual for one in mismatches}
    explanations = [Explanation("ids", "unexplained", tuple(range(len(mismatches))))]
    asked: list[AnyCase] = []

    def anew(cases: Sequence[AnyCase]) -> list[Outcome]:
        return [answers[case] for case in cases]

    def counted(cases: Sequence[AnyCase]) -> Sequence[Observation | None]:
        asked.extend(cases)
        return put(cases)

    found = characterised(explanations, mismatches, controls, anew, counted, lambda: bool(asked), base)
    (told,) = {one.why_unexplained for one in found}
    assert told.startswith("time was up before these causes were tried: "), told
    assert "known quirks under a condition" in told


def test_a_part_of_a_budget_is_spent_of_the_whole() -> None:
    """And ends with it."""
    whole = Budget(10)
    part = whole.part(4)
    part.spend(4)
    assert (True, False) == (part.is_done, whole.is_done)
    other = whole.part(100)
    other.spend(6)
    assert (True, True) == (other.is_done, whole.is_done)
