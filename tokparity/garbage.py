"""How often Python searches for garbage in cycles: what texts and answers are made of is in none."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

_BETWEEN_COLLECTIONS = 100_000  # objects made; Python's own number is 700 to 2,000


def collect_rarely() -> None:
    """Search seldom, for the rest of this process's life."""
    gc.set_threshold(_BETWEEN_COLLECTIONS)


@contextmanager
def collected_rarely() -> Iterator[None]:
    """Search seldom meanwhile."""
    before = gc.get_threshold()
    gc.set_threshold(_BETWEEN_COLLECTIONS, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


@contextmanager
def never_collected() -> Iterator[None]:
    """Do not search meanwhile."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()
