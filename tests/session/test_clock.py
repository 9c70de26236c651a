"""When a session ends, and what is said of it."""

from __future__ import annotations

import pytest

from tokparity.session import clock as clocks
from tokparity.session.clock import Clock, SharedClock


class _Watch:
    """A clock on the wall that goes only when it is told to."""

    def __init__(self) -> None:
        self.now = 100.0

    def monotonic(self) -> float:
        """The seconds on it."""
        return self.now


@pytest.fixture
def watch(monkeypatch: pytest.MonkeyPatch) -> _Watch:
    """What the clocks of sessions look at."""
    watch = _Watch()
    monkeypatch.setattr(clocks, "time", watch)
    return watch


@pytest.mark.parametrize(("seconds", "putting"), [(5.0, 3.5), (20.0, 14.0), (3600.0, 3570.0)])
def test_the_seconds_bound_all_of_a_session(watch: _Watch, seconds: float, putting: float) -> None:
    """Putting leaves some of them, shrinking and explaining end after 1.3 times the seconds, however few these are."""
    clock = Clock(seconds)
    clock.start()
    watch.now += putting - 0.01
    assert not clock.over()
    watch.now += 0.02
    assert clock.over()
    clock.afterwards()
    assert 1.3 * seconds - putting == pytest.approx(clock.left, abs=0.02)
    watch.now = 100.0 + 1.3 * seconds + 0.02
    assert clock.spent()


def test_what_is_put_whole_takes_nothing_from_the_diagnosis(watch: _Watch) -> None:
    """The probe set may take longer than all the time there is; what comes after it has what it would have had."""
    clock = Clock(seconds=5)
    clock.start()
    watch.now += 40
    clock.afterwards()
    assert 3.0 == pytest.approx(clock.left)


def test_time_that_is_not_needed_for_texts_is_there_for_the_diagnosis(watch: _Watch) -> None:
    """Few texts leave more of it."""
    clock = Clock(seconds=10)
    clock.start()
    watch.now += 1
    clock.afterwards()
    assert 12.0 == pytest.approx(clock.left)


def test_models_share_the_seconds(watch: _Watch) -> None:
    """What one model takes, its diagnosis included, the next ones do not have; what it leaves they have."""
    shared = SharedClock(seconds=12, models=3)
    for taken, left in ((1.0, 5.5), (100.0, 5.5), (7.15, 0.0)):
        clock = shared.take()
        clock.start()
        watch.now += taken
        shared.give_back(clock.taken)
        assert left == pytest.approx(shared.seconds / max(shared.models, 1), abs=0.01)


def test_what_was_put_in_time_is_not_late(watch: _Watch) -> None:
    """Shrinking and explaining have time of their own, and take none from the cases that were put before."""
    clock = Clock(seconds=5)
    clock.start()
    clock.afterwards()
    watch.now += 6
    assert not clock.is_late
    assert not clock.over()
    assert not clock.spent()


def test_what_was_not_put_in_time_stays_late(watch: _Watch) -> None:
    """The clock says so while cases are put, and when all is done."""
    clock = Clock(seconds=5)
    clock.start()
    watch.now += 6
    assert clock.over()
    clock.afterwards()
    assert clock.is_late


def test_without_a_limit_only_a_signal_ends() -> None:
    """Whatever the time is."""
    clock = Clock()
    clock.start()
    assert (False, None) == (clock.over(), clock.left)
    clock.stop.set()
    assert (True, True) == (clock.over(), clock.spent())
