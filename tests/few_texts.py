"""The fixture `few_texts`: a cause is sought and attacked on fewer texts than users get.

Of a run that finds a planted fault, nine tenths of the time go there. A file whose tests ask what is written of a
finding, or what its exit code is, takes half the time with it: `pytestmark = pytest.mark.usefixtures("few_texts")`.
How many texts a cause needs is asked in `diagnose/` and `quality/`, which do not use it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

import pytest

FEW = {
    "sample_mismatches": 40,
    "sample_controls": 30,
    "attack_texts": 240,
    "attack_put": 1_000,
    "attack_changed": 100,
    "attack_edge": 60,
    "attack_other": 150,
    "attacked_places": 10,
}
"""A fifth of what `Limits` has."""


@contextmanager
def sought_on_few_texts() -> Iterator[None]:
    """For runs in this process, and for fixtures of a whole file."""
    from tokparity.diagnose.limits import Limits  # only where it is used, for it brings all families of causes

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tokparity.session.explain.Limits", partial(Limits, **FEW))
        yield


@pytest.fixture
def few_texts() -> Iterator[None]:
    """For the runs of a test."""
    with sought_on_few_texts():
        yield
