"""Models: where their files come from, which engine is right, what is known and accepted. One .toml for each."""

from __future__ import annotations

from tokparity.models.given import (
    from_files,
    from_path,
    of_formats,
    other_vocabularies,
    primary_format,
    primary_path,
    primary_source,
    resolve,
)
from tokparity.models.prepare import Prepared, prepare
from tokparity.models.record import AcceptedFinding, Model, PulledFile, load, names

__all__ = [
    "AcceptedFinding",
    "Model",
    "Prepared",
    "PulledFile",
    "from_files",
    "from_path",
    "load",
    "names",
    "of_formats",
    "other_vocabularies",
    "prepare",
    "primary_format",
    "primary_path",
    "primary_source",
    "resolve",
]
