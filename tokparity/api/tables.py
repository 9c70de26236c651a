"""A stored report as tables for pandas."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokparity.errors import FormatError, MissingDependencyError
from tokparity.garbage import never_collected
from tokparity.questions import Again
from tokparity.report.file import read_without_mismatches
from tokparity.report.model import Pair, Report
from tokparity.report.tables import Columns, finding_columns, mismatch_columns, whole
from tokparity.report.verdict import Verdict, verdict

if TYPE_CHECKING:
    import os

    from pandas import DataFrame

Record = dict[str, Any]


@dataclass(frozen=True)
class LoadedReport:
    """A report: three tables (their columns are told in docs/api.md), its verdict, and all else as a `Report` without
    mismatches."""

    mismatches: DataFrame
    findings: DataFrame
    pairs: DataFrame
    verdict: Verdict
    report: Report


def load_report(path: str | os.PathLike[str]) -> LoadedReport:
    """Read a report.jsonl, or the one in a directory. One that was cut off holds what was written until then."""
    try:
        import pandas
    except ImportError as error:
        raise MissingDependencyError(f"tables need pandas: {error}", "pip install 'tokparity[pandas]'") from error
    file = Path(path)

    def table(columns: Columns) -> DataFrame:
        return pandas.DataFrame({name: _series(pandas, kind, values) for name, (kind, values) in columns.items()})

    with never_collected():
        report, lines = read_without_mismatches(file)
        try:
            mismatches = table(mismatch_columns(lines, report))
        except (KeyError, TypeError, ValueError) as error:
            raise FormatError(f"{str(file)!r} has a damaged mismatch ({error!r:.120})", "run again") from error

    findings = table(finding_columns(report.findings))
    pairs = table({name: (kind, [_of_pair(pair, name) for pair in report.pairs]) for name, kind in _PAIRS})
    return LoadedReport(mismatches, findings, pairs, verdict(report), report)


def _series(pandas: Any, kind: str, values: list[Any]) -> Any:
    """A column; None in one of whole numbers is a missing value."""
    values = whole(values)
    return pandas.Categorical(values) if kind == "category" else pandas.Series(values, dtype=kind)


_PAIRS = (
    *((name, "category") for name in ("model", "engine", "oracle")),
    *((name, "object") for name in ("version", "source")),
    *(
        (name, "int64")
        for name in (
            "cases", "equal", "mismatches", "failures", "unsupported", "unjudged", "decode", "round_trip", "not_stored",
            "unrecorded", "rows", "rows_differ",
        )
    ),
    ("share", "float64"),
    ("seconds", "float64"),
    ("unavailable", "object"),
    ("independent", "bool"),
    ("compares_files", "bool"),
    *((name, "int64") for name in ("streams", "streams_differ")),
    *((f"again{name}", "int64") for name in ("", "_same", "_stable", "_rows", "_rows_same", "_rows_stable", "_differ")),
    *((name, "object") for name in ("again_smallest", "again_cause")),
    *((name, "int64") for name in ("spans", "spans_differ", "prompts", "prompts_differ", "prompts_not_run")),
)  # fmt: skip


def _of_pair(pair: Pair, name: str) -> object:
    """A cell; a question is its literal."""
    value = getattr(pair, name)
    return value.literal if isinstance(value, Again) else value
