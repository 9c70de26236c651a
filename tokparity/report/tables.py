"""Mismatches and findings as columns with dtypes, for `load_report` and for Parquet files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from tokparity.finding import Finding
from tokparity.report.mismatch_rows import COLUMNS, rows
from tokparity.report.model import Report

Columns = Mapping[str, tuple[str, list[Any]]]
"""By name: the dtype as pandas calls it, and the values."""


def whole(value: Any) -> Any:
    """A value as tables hold it: a lone surrogate, which a name or a message of anybody's may have, is an escape."""
    if isinstance(value, list):
        return [whole(one) for one in value]
    return value.encode("utf-8", "backslashreplace").decode() if isinstance(value, str) else value


def mismatch_columns(lines: Iterable[bytes], report: Report) -> Columns:
    """The columns of mismatches, made of their lines in a report, whose findings say what each belongs to."""
    columns = [list(column) for column in zip(*rows(lines), strict=True)] or [[] for _ in COLUMNS]
    typed = {name: (kind, column) for (name, kind), column in zip(COLUMNS.items(), columns, strict=True)}
    names = [""] * len(columns[0])
    for (_, name), members in report.members.items():
        for index in members:
            names[index] = name
    return {**typed, "finding": ("category", names)}


def finding_columns(findings: Sequence[Finding]) -> Columns:
    """The columns of findings."""
    return {name: (kind, [get(finding) for finding in findings]) for name, kind, get in _FINDINGS}


_FINDINGS: tuple[tuple[str, str, Callable[[Finding], object]], ...] = (
    ("finding", "object", lambda f: f.name),
    ("model", "category", lambda f: f.model),
    ("engine", "category", lambda f: f.engine),
    ("oracle", "category", lambda f: f.oracle),
    ("status", "category", lambda f: f.status),
    ("standing", "category", lambda f: f.standing),
    ("new", "bool", lambda f: f.is_new),
    ("quirks", "object", lambda f: list(f.quirks)),
    ("alternatives", "object", lambda f: [list(names) for names in f.alternatives]),
    ("mismatches", "int64", lambda f: f.mismatches),
    ("unexamined", "int64", lambda f: f.unexamined),
    ("controls", "int64", lambda f: f.controls),
    ("aspect", "category", lambda f: f.smallest.difference.aspect),
    ("smallest_text", "object", lambda f: f.smallest.case.question.literal),
    ("reason", "object", lambda f: f.known or f.reason),
    ("why_unexplained", "object", lambda f: f.why_unexplained),
)
