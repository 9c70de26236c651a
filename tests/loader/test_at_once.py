"""Iterators that run at the same time: the order is kept, and an error comes in its turn."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from tokparity.loader.at_once import at_once


def test_they_run_at_the_same_time_and_keep_their_order() -> None:
    """The first one waits for the second, and its items still come first."""
    second_runs = threading.Event()

    def first() -> Iterator[str]:
        yield "a"
        assert second_runs.wait(60)
        yield "b"

    def second() -> Iterator[str]:
        second_runs.set()
        yield "c"

    assert ["a", "b", "c"] == list(at_once([first(), second()], 2))


def test_no_more_than_so_many_run_at_a_time() -> None:
    """With one thread the second iterator begins when the first has ended."""
    ended: list[str] = []

    def first() -> Iterator[str]:
        yield "a"
        ended.append("first")

    def second() -> Iterator[str]:
        yield from ended

    assert ["a", "first"] == list(at_once([first(), second()], 1))


def test_an_error_comes_in_its_turn() -> None:
    """What came before it is yielded."""

    def breaks() -> Iterator[str]:
        yield "b"
        raise ValueError("broken")

    found = at_once([["a"], breaks(), ["c"]], 2)
    assert ["a", "b"] == [next(found), next(found)]
    with pytest.raises(ValueError, match="broken"):
        next(found)
