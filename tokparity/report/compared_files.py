"""The users' GGUFs that a report is about: those on which engines were compared, and those that no engine opened."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tokparity.report.model import Report


def compared(report: Report) -> tuple[tuple[str, ...], int]:
    """The files that engines opened beside the oracle's, and on how many cases they were compared in all."""
    cases: dict[tuple[str, str], list[int]] = {}
    for pair in report.pairs:
        if pair.compares_files:
            own = cases.setdefault((pair.model, pair.source), [])
            own.extend([pair.compared] if pair.compared or pair.rows_put else [])
    return _named(report, [*cases]), sum(min(own, default=0) for own in cases.values())


def unopened(report: Report) -> tuple[str, ...]:
    """The GGUFs whose keys alone were compared, because no engine that was run opens them."""
    opened = {(pair.model, pair.source) for pair in report.pairs}
    header = report.header
    of_users = [name for name in report.models() if name in header.places or "--gguf" in header.arguments.get(name, ())]
    every = [(model, name) for model in of_users for name in header.models.get(model, ()) if name.endswith(".gguf")]
    return _named(report, [file for file in every if file not in opened and len(header.models[file[0]]) > 1])


def _named(report: Report, files: Sequence[tuple[str, str]]) -> tuple[str, ...]:
    """The files without their folders, with the model where another model of the report has a file of that name."""
    names = Counter(name for own in report.header.models.values() for name in own)
    return tuple(f"{name} of {model}" if names[name] > 1 else name for model, name in files)
