"""Iterators that run at the same time: the order is kept, an error comes in its turn, and no process is left."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tokparity.errors import EngineError
from tokparity.loader.concurrent import at_once


def test_they_run_at_the_same_time_and_keep_their_order() -> None:
    """The first one waits for the second, and its items still come first."""
    second_runs = multiprocessing.get_context("fork").Event()

    def first() -> Iterator[str]:
        yield "a"
        assert second_runs.wait(60)
        yield "b"

    def second() -> Iterator[str]:
        second_runs.set()
        yield "c"

    assert ["a", "b", "c"] == list(at_once([first(), second()], 2))


def test_no_more_than_so_many_run_at_a_time(tmp_path: Path) -> None:
    """With one process the second iterator begins when the first has ended."""
    ended = tmp_path / "ended"

    def first() -> Iterator[str]:
        yield "a"
        ended.touch()

    def second() -> Iterator[str]:
        yield str(ended.exists())

    assert ["a", "True"] == list(at_once([first(), second()], 1))


def test_an_error_comes_in_its_turn() -> None:
    """What came before it is yielded, and the place where it was raised is kept."""

    def breaks() -> Iterator[str]:
        yield "b"
        raise ValueError("broken")

    found = at_once([["a"], breaks(), ["c"]], 2)
    assert ["a", "b"] == [next(found), next(found)]
    with pytest.raises(ValueError, match="broken") as raised:
        next(found)
    assert "in breaks" in raised.value.__notes__[0]


def test_a_process_that_dies_is_told() -> None:
    """What it yielded before is yielded, and then the error."""

    def dies() -> Iterator[str]:
        yield "a"
        os.kill(os.getpid(), signal.SIGKILL)

    found = at_once([dies()], 2)
    assert "a" == next(found)
    with pytest.raises(EngineError, match=r"a process that compares one version ended: SIGKILL"):
        next(found)


def test_no_process_is_left_where_it_ends_early() -> None:
    """Also of one that would run without end."""

    def endless() -> Iterator[int]:
        yield os.getpid()
        while True:
            signal.pause()

    found = at_once([endless(), endless()], 2)
    process = next(found)
    found.close()
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)
    assert [] == multiprocessing.active_children()
