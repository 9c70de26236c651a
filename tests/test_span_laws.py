"""Each law of spans is broken by one answer, and none by any of the ways in which spans are right."""

from __future__ import annotations

import pytest

from tokparity.outcome import Place, Spanning
from tokparity.span_laws import LAWS, judged

TEXT = "a 日b"
IDS = (1, 2, 3, 4)
RIGHT = Spanning(IDS, ((0, 1), (1, 3), (2, 3), (3, 4)), reach=((0, 1), (1, 3), (2, 3), (3, 4)))
"""The second id is a space and a part of a character, which the third one completes."""


@pytest.mark.parametrize(
    "spans",
    [
        RIGHT.spans,
        ((0, 1), (1, 2), (2, 3), (3, 4)),  # the character belongs to the id that completes it
        ((0, 1), (2, 3), (2, 3), (3, 4)),  # spaces are left out
        ((0, 1), (2, 2), (2, 3), (3, 4)),
    ],
)
def test_several_ways_are_right(spans: tuple[Place, ...]) -> None:
    """A character of two ids, and white space."""
    assert "" == judged(TEXT, Spanning(IDS, spans), RIGHT).law


@pytest.mark.parametrize(
    ("law", "place", "actual"),
    [
        ("ids", 1, Spanning(IDS, RIGHT.spans, encoded=(1, 9, 3, 4))),
        ("ids", 4, Spanning(IDS, RIGHT.spans, encoded=(*IDS, 5))),
        ("range", 3, Spanning(IDS, (*RIGHT.spans[:3], (3, 5)))),
        ("range", 0, Spanning(IDS, ((-1, 1), *RIGHT.spans[1:]))),
        ("range", 1, Spanning(IDS, ((0, 1), (3, 1), *RIGHT.spans[2:]))),
        ("order", 3, Spanning(IDS, (*RIGHT.spans[:3], (0, 1)))),
        ("elsewhere", 0, Spanning(IDS, ((0, 2), *RIGHT.spans[1:]))),
        ("lost", 3, Spanning(IDS, (*RIGHT.spans[:3], (4, 4)))),
    ],
)
def test_each_law_can_be_broken(law: str, place: int, actual: Spanning) -> None:
    """The id at which it is, and what would be right."""
    found = judged(TEXT, actual, RIGHT)
    assert (law, place, RIGHT.spans) == (found.law, found.place, found.right)
    assert law in LAWS


def test_without_the_reference_only_what_is_plain_is_judged() -> None:
    """Where it is not there, or has other ids: that is a mismatch of ids."""
    elsewhere = Spanning(IDS, ((0, 2), *RIGHT.spans[1:]))
    assert ("", ()) == (judged(TEXT, elsewhere, None).law, judged(TEXT, elsewhere, None).right)
    assert "" == judged(TEXT, elsewhere, Spanning((7,), ((0, 4),), reach=((0, 4),))).law
    assert "range" == judged(TEXT, Spanning((1,), ((0, 9),)), None).law


def test_a_long_text_is_judged_in_one_pass() -> None:
    """What is lost is counted once, however far each piece reaches: a span of each id over the whole is no square."""
    text, ids = "a" * 30_000, tuple(range(30_000))
    whole = Spanning(ids, ((0, 30_000),) * 30_000, reach=((0, 30_000),) * 30_000)
    assert "" == judged(text, whole, whole).law
    lost = Spanning(ids, ((0, 29_999),) * 30_000)
    assert ("lost", 0) == (judged(text, lost, whole).law, judged(text, lost, whole).place)
