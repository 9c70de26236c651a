"""What is said of a fault depends on what was asked, and never on how busy the machine is."""

from __future__ import annotations

import time
from itertools import count

import pytest
import unlisted_faults
from faulty_panel import characterised


@pytest.mark.nightly
def test_a_slow_clock_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a machine where an hour passes between two looks at the clock, the same variant of the model is named."""
    hours = count(step=3600)
    monkeypatch.setattr(time, "monotonic", lambda: float(next(hours)))
    _, (group, *_) = characterised("small-bpe", unlisted_faults.NoLookahead)
    assert group.traits[0].says.startswith(r"the ids are those of the model with `\s++(?!\S)` in place of `\s+(?!\S)`")
