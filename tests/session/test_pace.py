"""How many cases are put at a time where time is limited."""

from __future__ import annotations

import time

import pytest

from tokparity.case import AnyCase, text_case
from tokparity.session.clock import Clock
from tokparity.session.extent import Extent
from tokparity.session.pace import Pace
from tokparity.sources.source import Listed

CASES: list[AnyCase] = [text_case(b"%d" % n) for n in range(2000)]


def test_without_a_limit_batches_stay_as_they_are() -> None:
    """What a source plans at once is put at once."""
    assert [CASES] == list(Pace(None).cut([CASES]))


@pytest.mark.parametrize(("per_second", "most"), [(100, 40), (25, 10), (1, 8)])
def test_a_batch_takes_a_small_part_of_the_time(per_second: int, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 20 seconds a batch takes 0.4, so that the four that are under way at the end take less than two."""
    now = [0.0]
    monkeypatch.setattr("tokparity.session.pace.time.monotonic", lambda: now[0])
    pace = Pace(20.0)
    sizes = []
    for part in pace.cut([CASES]):
        sizes.append(len(part))
        now[0] += len(part) / per_second
        pace.answered(len(part))
    assert max(sizes[1:]) <= most
    assert 2000 == sum(sizes)


def test_what_is_quick_is_not_cut_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """An engine that answers 100,000 cases in a second is soon given whole batches."""
    now = [0.0]
    monkeypatch.setattr("tokparity.session.pace.time.monotonic", lambda: now[0])
    pace = Pace(20.0)
    sizes = []
    for part in pace.cut([CASES] * 10):
        sizes.append(len(part))
        now[0] += len(part) / 100_000
        pace.answered(len(part))
    assert [2000] * 9 == sizes[-9:]


def test_no_case_is_lost_or_put_out_of_order() -> None:
    """The parts of a batch are the batch."""
    pace = Pace(1e-3)
    assert CASES == [case for part in pace.cut([CASES]) for case in part]


def test_what_is_put_whole_after_the_time_is_up_is_told_once() -> None:
    """Else a run of 40 seconds takes minutes with a slow engine, and nobody knows why."""
    clock, extent = Clock(seconds=10.0), Extent(total=900, needed=600)
    clock.start()
    source = Listed((), 600, is_whole=True)
    extent.add(source, 100)
    assert [] == list(extent.overdue("m", clock))
    clock._started = time.monotonic() - 20.0
    (told,) = extent.overdue("m", clock)
    assert str(told).startswith("m: 100 texts took 20 s, more than the 10 s that were given; the first 600 texts")
    assert [] == list(extent.overdue("m", clock))
    done = Extent(total=900, needed=100)
    done.add(source, 100)
    assert [] == list(done.overdue("m", clock))
