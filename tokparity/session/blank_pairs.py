"""What is known of each engine of a session before anything is counted."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from tokparity.report.model import Pair
from tokparity.session.judge import REFERENCE

if TYPE_CHECKING:
    from tokparity.models import Model
    from tokparity.session.panel import EnginePanel
    from tokparity.session.seats import Seating


def blank_pairs(model: Model, seating: Seating, panel: EnginePanel, seconds: float) -> Mapping[str, Pair]:
    """A Pair without counts for each engine that is to be reported on."""
    sources = {seat.engine: seat.source for seat in seating.seats}
    oracle = seating.of(model.oracle)
    independent = model.pinned or (oracle is not None and not oracle.exported)
    return {
        engine: Pair(
            model.name,
            engine,
            model.oracle,
            panel.versions.get(engine, ""),
            sources.get(engine, ""),
            seconds=seconds,
            unavailable=seating.unavailable.get(engine, "") or panel.unavailable.get(engine, ""),
            independent=independent,
            compares_files=independent and _opens_another_file(model, seating, engine),
        )
        for engine in seating.shown
    }


def _opens_another_file(model: Model, seating: Seating, engine: str) -> bool:
    """Whether an engine opened another of the user's files than the oracle."""
    ours, oracles = seating.of(engine), seating.of(model.oracle)
    if model.pinned or ours is None or oracles is None or engine.partition("+")[0] == REFERENCE:
        return False
    opened = [_file(model, seat.path) for seat in (ours, oracles)]
    return not ours.exported and not oracles.exported and opened[0] != opened[1]


def _file(model: Model, path: str) -> Path:
    """The file behind what an engine opens: a directory is made around the model's own tokenizer.json."""
    return model.sources.get("tokenizer.json", Path(path)) if Path(path).is_dir() else Path(path)
