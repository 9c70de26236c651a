"""When a session ends, and what is said of it."""

from __future__ import annotations

import time

from tokparity.session.clock import Clock


def test_what_was_put_in_time_is_not_late() -> None:
    """Shrinking and explaining have time of their own, and take none from the cases that were put before."""
    clock = Clock(seconds=0.05)
    clock.start()
    clock.afterwards()
    time.sleep(0.06)
    assert not clock.is_late
    assert not clock.over()
    assert not clock.spent()


def test_what_was_not_put_in_time_stays_late() -> None:
    """The clock says so while cases are put, and when all is done."""
    clock = Clock(seconds=0.05)
    clock.start()
    time.sleep(0.06)
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
