"""What a report says of each pair of model and engine before counting: versions, files, what is unavailable."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tokparity import engines
from tokparity.engines import engine_name
from tokparity.engines.protocol import ANY
from tokparity.models.prepare import DIRECTORY
from tokparity.report.model import Pair
from tokparity.report.oracles import Word
from tokparity.session.judge import REFERENCE
from tokparity.session.panel import OpenPanel
from tokparity.session.seats import Seating

if TYPE_CHECKING:
    from tokparity.models import Model


def has_own_source(model: Model) -> bool:
    """Whether the oracle opens a file of the model as it is, so that it says something about another one.

    Told before anything is opened; `Pair.independent` is what came of it.
    """
    return model.pinned or oracle_of(model) != "export"


def oracle_of(model: Model) -> Word:
    """What the oracle opens, told before it is opened; `report.oracles.word_of` is what came of it."""
    if model.oracle == REFERENCE:
        return "reading"
    formats = engines.get(model.oracle).CAPABILITIES.formats
    own = {*model.sources, *([DIRECTORY] if "tokenizer.json" in model.sources else [])}
    return "independent" if formats == ANY or own.intersection(formats) else "export"


def blank_pairs(model: Model, seating: Seating, panel: OpenPanel, seconds: float) -> dict[str, Pair]:
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
    if model.pinned or ours is None or oracles is None or engine_name.parse(engine).base == REFERENCE:
        return False
    return not ours.exported and not oracles.exported and _file(model, ours.path) != _file(model, oracles.path)


def _file(model: Model, path: str) -> Path:
    """The file behind what an engine opens: a directory is made around the model's own tokenizer.json."""
    return model.sources.get("tokenizer.json", Path(path)) if Path(path).is_dir() else Path(path)
