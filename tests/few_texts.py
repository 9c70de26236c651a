"""Fixtures of a smaller case: `few_texts` and `few_beside_texts`.

With `few_texts` a cause is sought and attacked on a fifth of the texts that users get. Of a run that finds a planted
fault, nine tenths of the time go there, and half of that is saved. Tests of what is written of a finding, or of an exit
code, use it: `pytestmark = pytest.mark.usefixtures("few_texts")`. How many texts a cause needs is asked in `diagnose/`
and `quality/`, which do not.
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


@pytest.fixture
def few_beside_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hundred streams, spans, and texts that are encoded again, where a run asks for such."""
    for name in ("STREAMS", "TEXTS_AGAIN", "SPANS"):
        monkeypatch.setattr(f"tokparity.sources.beside_texts.{name}", 100)
