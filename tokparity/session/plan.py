"""What to run, for how long, and who is told how it goes."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from tokparity.report.model import Pair

CASES = 4000
"""Random texts per model, where the command line does not say."""


@dataclass(frozen=True)
class Options:
    """What to run. Empty `engines`, `corpora` and `generators` mean all of them; `seconds` bounds the whole run.

    `keep` is how many mismatches of a kind are stored in full; `timeout` the seconds a small batch may take;
    `jobs` how many models are run at a time.
    """

    engines: tuple[str, ...] = ()
    corpora: tuple[str, ...] = ()
    generators: tuple[str, ...] = ()
    cases: int = CASES
    seconds: float | None = None
    seed: int = 0
    jobs: int = 1
    keep: int = 1000
    timeout: float = 20.0


class Listener(Protocol):
    """Who is told how the run goes; called from several threads when several models are run at a time."""

    def started(self, model: str, engines: Sequence[str], cases: int | None) -> None:
        """A model's engines are open; about so many cases will be put to them, None if nobody knows."""

    def advanced(self, model: str, cases: int, mismatches: int) -> None:
        """So many cases were judged, and so many mismatches found, since the last call."""

    def finished(self, model: str, pairs: Sequence[Pair]) -> None:
        """A model is done."""


@dataclass
class Clock:
    """When to stop: at a deadline, or when told to. `stop` may be set from a signal handler."""

    deadline: float | None = None
    stop: threading.Event = field(default_factory=threading.Event)

    def over(self) -> bool:
        """Whether to stop now."""
        return self.stop.is_set() or (self.deadline is not None and time.monotonic() >= self.deadline)

    def share(self, models_left: int) -> Clock:
        """A clock for one of the models that are left, with its part of the time."""
        if self.deadline is None:
            return self
        now = time.monotonic()
        return Clock(now + (self.deadline - now) / max(models_left, 1), self.stop)
