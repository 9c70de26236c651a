"""Waits for a server that does not answer, and sends it the same texts again: no text is to blame."""

from __future__ import annotations

import time
from collections.abc import Callable, Set
from typing import TYPE_CHECKING

from tokparity.engines.results import Results
from tokparity.errors import EngineError

if TYPE_CHECKING:
    from tokparity.session.panel import OpenPanel

WAIT = 60.0
"""Seconds for which an engine that is away is waited for, where nobody says otherwise."""

_PAUSE, _LOOK = 0.5, 0.05
"""Seconds between two attempts, and between two looks at whether the run is to end."""


def away(results: Results) -> str:
    """Why an engine was away when it was asked; empty where it was there."""
    return next((failure.message for _, failure in results.failures if failure.kind == "away"), "")


def none_is_there(panel: OpenPanel, judges: Set[str], others: Set[str], is_timed: bool) -> bool:
    """Whether nothing can be compared: no judge is available, or no engine to compare with one.

    Where no engine ever was available, a run without a time limit still runs the judge on all texts.
    """
    there = panel.versions.keys() - panel.unavailable.keys()
    if there.isdisjoint(judges):
        return True
    were_there = is_timed or not others.isdisjoint(panel.versions)
    return were_there and bool(others) and there.isdisjoint(others)


def held(results: Results, again: Callable[[], Results], wait: float, over: Callable[[], bool]) -> Results | None:
    """The results of an engine when it is back; `again` puts the same cases. None where the run is `over` before.

    Raises EngineError where the engine is away for this many seconds.
    """
    deadline = time.monotonic() + wait
    while why := away(results):
        if time.monotonic() >= deadline:
            message = f"{why}; it was asked again for {wait:g} s, and the rest was not asked"
            raise EngineError(message, "start it again and run again; --wait SECONDS waits longer")
        attempt = time.monotonic() + _PAUSE
        while time.monotonic() < attempt:
            if over():
                return None
            time.sleep(_LOOK)
        results = again()
    return results
