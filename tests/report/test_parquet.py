"""Parquet: the columns and dtypes of `load_report`, the same values, and what is said where pyarrow is missing."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pandas
import pytest

import tokparity
from tokparity.cli import main
from tokparity.errors import MissingDependencyError
from tokparity.report.file import write
from tokparity.report.model import Report
from tokparity.report.render import parquet


def test_it_holds_what_load_report_gives(report: Report, tmp_path: Path) -> None:
    """Every column in its order, with its dtype and its values."""
    write(report, tmp_path / "report.jsonl")
    assert 0 == main(["render", str(tmp_path / "report.jsonl"), "--to", "parquet", "-o", str(tmp_path / "tables")])
    loaded = tokparity.load_report(tmp_path)
    for name, table in (("mismatches", loaded.mismatches), ("findings", loaded.findings)):
        read = pandas.read_parquet(tmp_path / "tables" / f"{name}.parquet")
        assert list(table.columns) == list(read.columns)
        kinds = [str(kind).replace("str", "object") for kind in read.dtypes]
        assert [str(kind) for kind in table.dtypes] == kinds
        for column in table.columns:
            assert [plain(value) for value in table[column]] == [plain(value) for value in read[column]]


def plain(value: object) -> object:
    """A list for an array, and what Parquet makes of a lone surrogate."""
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    return [plain(one) for one in value] if hasattr(value, "__len__") else value  # type: ignore[attr-defined]


def test_nothing_to_tell(report: Report, tmp_path: Path) -> None:
    """A report without a mismatch has the same columns; one file alone is written by its name."""
    parquet.render(replace(report, mismatches=(), findings=(), members={}), tmp_path)
    assert [0, 0] == [len(pandas.read_parquet(tmp_path / name)) for name in parquet.FILES]
    parquet.render(report, tmp_path / "findings-of-today.parquet")
    assert "quirks" in pandas.read_parquet(tmp_path / "findings-of-today.parquet").columns


def test_without_pyarrow(report: Report, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An error that says what to install."""
    monkeypatch.setattr(parquet, "is_installed", lambda: False)
    with pytest.raises(MissingDependencyError, match="Parquet needs pyarrow") as caught:
        parquet.render(report, tmp_path)
    assert "tokparity[parquet]" in caught.value.hint


def test_a_folder_that_is_named_as_a_table_is_a_folder(report: Report, tmp_path: Path) -> None:
    """`--out night.parquet` is the folder of a report, and both tables go into it."""
    folder = tmp_path / "night.parquet"
    folder.mkdir()
    parquet.render(report, folder)
    assert ["findings.parquet", "mismatches.parquet"] == sorted(path.name for path in folder.iterdir())
