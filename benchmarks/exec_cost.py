"""What the exec protocol costs: the same library in our worker, and in a program of its own behind JSON Lines."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass

from tokparity.case import Origin, text_case
from tokparity.models import Model
from tokparity.session.panel import EnginePanel
from tokparity.session.seats import seat_one

INSIDE = "tokenizers"
OUTSIDE = f"tokenizers@{sys.executable}"
_BATCH = 2000
_ROUNDS = 5


@dataclass(frozen=True)
class Cost:
    """Seconds of the quickest of several rounds, inside and outside."""

    inside: float
    outside: float

    @property
    def ratio(self) -> float:
        """How many times as long it takes outside."""
        return self.outside / self.inside


def measure(model: Model, texts: Sequence[bytes]) -> Cost:
    """Both in turn, round by round, so that other work on the machine troubles both alike."""
    cases = [text_case(text, origin=Origin("given", f"bench:{i}")) for i, text in enumerate(texts)]
    batches = [cases[i : i + _BATCH] for i in range(0, len(cases), _BATCH)]
    seconds: dict[str, list[float]] = {INSIDE: [], OUTSIDE: []}
    with EnginePanel([seat_one(model, engine) for engine in seconds], timeout=60.0) as panel:
        for engine in [*seconds, *list(seconds) * _ROUNDS]:
            started = time.perf_counter()
            for _ in panel.results(batches, lambda: False, only=(engine,)):
                pass  # only the time counts
            seconds[engine].append(time.perf_counter() - started)
    return Cost(*(min(found[1:]) for found in seconds.values()))  # the first round warms up
