"""Both rows of tokens side by side: every difference is marked, what is equal is aligned, what is cut is counted."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reports import mismatch
from tokparity.difference import Difference, first_difference
from tokparity.finding import Mismatch
from tokparity.outcome import Encoding, Failure
from tokparity.report.render.plots import bars, scatter
from tokparity.report.render.strip import Column, strip

IDS = st.lists(st.integers(0, 3), max_size=40)


def of_ids(expected: Sequence[int], actual: Sequence[int]) -> Mismatch:
    """A mismatch of these ids, each spelled as its number."""
    difference = Difference("ids", first_difference(expected, actual))
    return mismatch(b"x", expected=Encoding(tuple(expected)), actual=Encoding(tuple(actual)), difference=difference)


def shape(columns: Sequence[Column]) -> list[tuple[str, list[int], list[int]]]:
    """The columns with nothing but their ids."""
    return [(c.state, [chip.id for chip in c.expected], [chip.id for chip in c.actual]) for c in columns]


def test_two_differences_are_both_marked() -> None:
    """Between them what is equal is aligned again, also where one side is longer."""
    found = strip(of_ids([1, 2, 3, 4, 5, 6], [1, 9, 8, 3, 4, 7, 6]))
    assert [
        ("same", [1], [1]),
        ("differs", [2], [9, 8]),
        ("same", [3], [3]),
        ("same", [4], [4]),
        ("differs", [5], [7]),
        ("same", [6], [6]),
    ] == shape(found.columns)


def test_equal_tokens_far_away_are_counted() -> None:
    """Three are shown on each side of a difference."""
    found = strip(of_ids([*range(50), 7, *range(100, 150)], [*range(50), 8, *range(100, 150)]))
    assert [47, 47] == [column.hidden for column in found.columns if column.state == "gap"]
    assert ["gap", *["same"] * 3, "differs", *["same"] * 3, "gap"] == [column.state for column in found.columns]


@given(IDS, IDS)
def test_no_token_is_lost(expected: list[int], actual: list[int]) -> None:
    """What is shown and what is counted is everything, and equal columns are equal."""
    columns = strip(of_ids(expected, actual)).columns
    for side, ids in ((0, expected), (1, actual)):
        shown = sum(len((column.expected, column.actual)[side]) for column in columns)
        hidden = sum(column.hidden for column in columns if column.state == "gap")
        more = len(ids) - shown - hidden
        assert 0 <= more <= sum(column.hidden for column in columns if column.state == "differs")
    assert all(left == right for state, left, right in shape(columns) if state == "same")
    assert (expected != actual) == any(column.state == "differs" for column in columns)


def test_long_rows_are_cut_and_counted() -> None:
    """100,000 ids that all differ take no time, and what is not shown is said."""
    found = strip(of_ids(range(100_000), range(100_000, 200_000)))
    assert 100_000 == found.expected.total
    assert 100_000 - 24 == found.columns[0].hidden
    found = strip(of_ids([i % 2 * i for i in range(400)], [i % 2 * i or -1 for i in range(400)]))
    assert 200 == found.more + sum(column.state == "differs" for column in found.columns)
    assert found.more > 100


def test_decoded_texts_show_all_differences() -> None:
    """Character by character, with what is left out in characters; the equal ids are there as well."""
    left, right = ("ä" * 100 + "b c d").encode(), ("ä" * 100 + "bc  d").encode()
    found = strip(mismatch(b"x", expected=Encoding((1,), left), actual=Encoding((1,), right),
                           difference=Difference("decode", 201)))  # fmt: skip
    texts = ["".join(run.text for part in side.decoded for run in part.runs) for side in (found.expected, found.actual)]
    assert ["ä" * 39 + "b␣c␣d", "ä" * 39 + "bc␣␣d"] == texts
    assert 61 == found.expected.before == found.actual.before
    assert [True, True] == [any(part.differs for part in side.decoded) for side in (found.expected, found.actual)]
    assert [("same", [1], [1])] == shape(found.columns)


def test_a_failure_has_the_tokens_of_the_other_side() -> None:
    """With the signal, and nothing marked as different."""
    found = strip(mismatch(b"x", actual=Failure("crash", "why", 6), difference=Difference("failure", failure="crash")))
    assert "crash (signal 6): why" == found.actual.failure
    assert [("same", [3, 2, 196, 683, 2], [])] == shape(found.columns)


@pytest.mark.parametrize(("piece", "expected"), [(b"abc", ""), ("é".encode(), "c3 a9"), (b" " * 10, "20 " * 8 + "+2")])
def test_bytes_are_shown_where_they_are_not_plain(piece: bytes, expected: str) -> None:
    """As hexadecimal digits, the first eight."""
    found = mismatch(b"x", expected=Encoding((1,)), actual=Encoding((2,)), difference=Difference("ids"), pieces=[piece])
    assert expected == strip(found).columns[0].expected[0].hex


def test_plots_count_every_text() -> None:
    """Of the texts, and of the names; what has no room is one bar."""
    plot = scatter([of_ids([1], [1, 2]), of_ids([1], [1, 2]), of_ids([1, 2, 3], [1])])
    assert plot is not None
    assert (3, 2, 1, 3) == (plot.texts, plot.longer, plot.shorter, plot.most)
    assert {1, 2} == {point.texts for point in plot.points}
    assert scatter([]) is None
    counts = [(f"name{n}", 10 - n) for n in range(10)]
    shown = bars(counts)
    assert (6, "5 others", 55) == (len(shown), shown[-1].name, sum(bar.count for bar in shown))
    assert [] == bars([])
