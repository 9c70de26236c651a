"""An engine whose answer depends on the other texts of its request, or on its place among them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from tokparity.case import AnyCase, text_case
from tokparity.difference import Difference
from tokparity.finding import Mismatch
from tokparity.outcome import Encoding, Outcome
from tokparity.session.requests import depends_on_request

Rows = list[list[int]]
RIGHT: dict[str, list[int]] = {
    "": [],
    " ": [4],
    "a b": [1, 2],
    "a 7": [1, 9],
    "b b b": [2, 2, 2],
    "the 7 b": [3, 1, 9, 2],
}


def right(text: str) -> list[int]:
    """The ids of one text."""
    return RIGHT[text]


class Asked:
    """An engine that answers requests; `answers` makes wrong ids of the right ones of a request."""

    def __init__(self, answers: Callable[[Rows], Rows]) -> None:
        self._answers = answers

    def anew(self, cases: Sequence[AnyCase]) -> list[Outcome]:
        """What one request is answered."""
        rows = self._answers([right(case.question.shown.decode()) for case in cases])
        return [Encoding(tuple(row)) for row in rows]

    fresh = anew

    def after(self, before: Sequence[AnyCase], cases: Sequence[AnyCase]) -> list[Outcome]:
        """A request of its own, behind another one."""
        return self.anew(cases)


def padded(rows: Rows) -> Rows:
    """Rows of a rectangular array."""
    longest = max(map(len, rows))
    return [[*row, *[0] * (longest - len(row))] for row in rows]


def padded_before(rows: Rows) -> Rows:
    """The same from the left."""
    longest = max(map(len, rows))
    return [[*[5] * (longest - len(row)), *row] for row in rows]


def eighth(rows: Rows) -> Rows:
    """A race at the end of a block."""
    return [row[:-1] if place % 8 == 7 else row for place, row in enumerate(rows)]


ENGINES = [
    (
        padded,
        "behind another text of the same request the id 0 is added behind the others, up to the longest answer",
        1,
    ),
    (padded_before, "behind another text of the same request the id 5 is added before the others, up to the", 1),
    (eighth, "behind 7 texts of the same request the last id is lost", 7),
    (lambda rows: [[*row, 1] if place else row for place, row in enumerate(rows)], "request the id 1 is added", 1),
]


@pytest.mark.parametrize(("answers", "says", "beside"), ENGINES)
def test_what_others_of_the_request_do_is_told(answers: Callable[[Rows], Rows], says: str, beside: int) -> None:
    """Alone each answer is right; the mismatch has what must stand before it, and the answer that comes then."""
    run = answers([right(text) for text in RIGHT for _ in range(8)])[7::8]
    members = [
        Mismatch(
            text_case(text.encode()), "m", "e", "o", Encoding(tuple(ids)), Encoding(tuple(wrong)), Difference("ids", 0)
        )
        for (text, ids), wrong in zip(RIGHT.items(), run, strict=True)
        if ids != wrong
    ]
    asked = Asked(answers)
    found = depends_on_request(members[0], members, asked, lambda: False)
    assert found is not None
    trait, shown = found
    assert says in trait.says
    assert trait.says.startswith("alone the answer is right")
    assert trait.holds > 0.7 * trait.of > 1
    assert beside == len(shown.beside)
    cases = [text_case(question.shown) for question in shown.beside]
    assert shown.actual == asked.anew([*cases, shown.case])[-1] != shown.expected


def test_what_is_wrong_alone_depends_on_no_request() -> None:
    """Nor does what is right in every request."""
    for answers in (lambda rows: [row[:-1] for row in rows], lambda rows: rows):
        mismatch = Mismatch(text_case(b"a b"), "m", "e", "o", Encoding((1, 2)), Encoding((1,)), Difference("ids", 1))
        assert depends_on_request(mismatch, [mismatch], Asked(answers), lambda: False) is None
