"""How many rows of ids the probe set of a model has: reports count them apart from texts."""

from __future__ import annotations

from functools import cache

from tokparity.generators.subject import Subject
from tokparity.models import load, primary_source
from tokparity.sources.probe_rows import probe_rows


@cache
def rows_of_probes(model: str) -> int:
    """Those of a known model."""
    source = primary_source(load(model))
    return len(probe_rows(Subject(source.vocabulary, source.behaviour)))
