"""Engines that do not repeat themselves: what they keep is told with the texts that show it, chance with its count."""

from __future__ import annotations

import random
from collections.abc import Sequence

from tokparity.case import AnyCase, text_case
from tokparity.difference import Difference
from tokparity.finding import Mismatch
from tokparity.outcome import Encoding, Outcome
from tokparity.questions import Encode, Question
from tokparity.report.model import Header, Report
from tokparity.report.render.command import reproduce
from tokparity.session.fresh import Fresh
from tokparity.session.repeat import examined, repeats

RIGHT, WRONG = Encoding((1,)), Encoding((2,))
BEFORE = [Encode(f"text {i}".encode()) for i in range(300)]


class Keeping(Fresh):
    """Wrong on the text behind one that ends in 7 and holds a 5."""

    def __init__(self) -> None:
        """There is no process."""

    def answers(self, cases: Sequence[AnyCase]) -> list[Outcome]:
        """Each series as a fresh process would answer it."""
        found: list[Outcome] = []
        trouble = False
        for case in cases:
            found.append(WRONG if trouble else RIGHT)
            shown = case.question.shown
            trouble = trouble or (shown.endswith(b"7") and b"5" in shown)
        return found


class Chancy(Keeping):
    """Wrong on one text in three."""

    def __init__(self) -> None:
        self.rng = random.Random(1)

    def answers(self, cases: Sequence[AnyCase]) -> list[Outcome]:
        """By chance."""
        return [WRONG if self.rng.random() < 0.33 else RIGHT for _ in cases]


class Honest(Keeping):
    """Always wrong."""

    def answers(self, cases: Sequence[AnyCase]) -> list[Outcome]:
        """The same each time."""
        return [WRONG for _ in cases]


class Counting(Keeping):
    """Wrong on every seventh text."""

    def answers(self, cases: Sequence[AnyCase]) -> list[Outcome]:
        """By their number."""
        return [WRONG if i % 7 == 6 else RIGHT for i in range(len(cases))]


MISMATCH = Mismatch(text_case(b"x"), "m", "e", "o", RIGHT, WRONG, Difference("ids", 0))


def before(question: Question) -> Sequence[Question]:
    """What was put before the mismatch."""
    return BEFORE


def never() -> bool:
    """There is all the time in the world."""
    return False


def test_what_comes_again_is_nobodys_fault_but_the_engines() -> None:
    """Twice the same, alone, is a mismatch like any other."""
    assert repeats(Honest(), MISMATCH)
    assert not repeats(Keeping(), MISMATCH)


def test_state_is_told_with_the_shortest_history() -> None:
    """Of 300 texts before it one is needed; the command puts just that one and the text."""
    found = examined(Keeping(), [MISMATCH], before, never)
    assert ("state", 1) == (found.sort, len(found.shown.history))
    assert found.shown.history[0].shown.endswith(b"7")
    assert "in a fresh process, alone, it gives the right answer; after another text it does not" in found.why
    report = Report(Header("t", "", {}, {}, 0, (), ""), ())
    text = found.shown.history[0].shown.decode()
    assert f"""printf '%s\\n' '"{text}"' '"x"' | tokparity encode m --engine e -""" == reproduce(report, found.shown)


def test_chance_is_counted() -> None:
    """How often it was wrong of so many times; the command asks the same text again and again."""
    found = examined(Chancy(), [MISMATCH], before, never)
    assert "chance" == found.sort
    assert "it was wrong" in found.why
    report = Report(Header("t", "", {}, {}, 0, (), ""), ())
    assert """yes '"x"' | head -n 150 | tokparity encode m --engine e -""" == reproduce(report, found.shown)


def test_a_counter_is_state() -> None:
    """The same text is answered otherwise the seventh time, in every process."""
    found = examined(Counting(), [MISMATCH], before, never)
    assert ("state", 6) == (found.sort, len(found.shown.history))
    assert "for time 7" in found.why
