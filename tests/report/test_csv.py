"""The CSV tables: columns that never change, cells that come back exactly and are never a formula."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from pathlib import Path

import pandas
import pytest

from reports import NASTY
from tokparity.outcome import Encoding
from tokparity.questions.json_text import parse
from tokparity.report.model import Report
from tokparity.report.render import markdown, text
from tokparity.report.render.csv import render


@pytest.fixture
def folder(report: Report, tmp_path: Path) -> Path:
    """Both tables, in a directory."""
    render(report, tmp_path)
    return tmp_path


def test_columns(folder: Path) -> None:
    """The columns are those of DESIGN.md, in their order."""
    with (folder / "mismatches.csv").open(encoding="utf-8") as file:
        assert (
            "model,engine,oracle,origin,add_special,parse_special,text,first_difference,expected_ids,actual_ids,"
            "expected_pieces,actual_pieces,finding,kind,expected_text,actual_text,"
            "cause,mismatch_key,finding_key\n"
        ) == file.readline()
    with (folder / "findings.csv").open(encoding="utf-8") as file:
        assert (
            "finding,model,engine,oracle,status,quirks,alternatives,mismatches,controls,smallest_text,accepted,reason,"
            "why_unexplained,known,cause,finding_key,votes,unexamined,attacked_changed,attacked_edge,attacked_asked,"
            "attacked_otherwise,rest_mismatches,rest_text,character\n"
        ) == file.readline()


def test_pandas_reads_everything_back(report: Report, folder: Path) -> None:
    """Texts, ids and pieces are in the table exactly."""
    table = pandas.read_csv(folder / "mismatches.csv", keep_default_na=False, dtype=str)
    assert len(report.mismatches) == len(table)
    rows = table.to_dict("records")
    assert list(report.finding_names()) == [row["finding"].removeprefix("'") for row in rows]
    for mismatch, row in zip(report.mismatches, rows, strict=True):
        assert mismatch.case.question.text == parse(row["text"])
        pieces = tuple(parse(json.dumps(piece)) for piece in json.loads(row["expected_pieces"]))
        assert mismatch.expected_pieces == pieces
        if isinstance(mismatch.actual, Encoding):
            assert mismatch.actual.ids == tuple(int(i) for i in row["actual_ids"].lstrip("'").split())


def test_pandas_reads_it_with_its_defaults(report: Report, folder: Path) -> None:
    """No option is needed for the texts: a literal is never taken for a missing value or a number."""
    table = pandas.read_csv(folder / "mismatches.csv")
    assert [m.case.question.text for m in report.mismatches] == [parse(text) for text in table["text"]]
    assert table["add_special"].dtype == bool


def test_no_cell_is_a_formula(folder: Path) -> None:
    """In no column does a cell begin with what a spreadsheet would run, and no cell holds a line end."""
    for name in ("mismatches.csv", "findings.csv", "pairs.csv"):
        with (folder / name).open(encoding="utf-8", newline="") as file:
            cells = [cell for row in csv.reader(file) for cell in row]
        assert [] == [cell for cell in cells if cell.startswith(("=", "+", "-", "@", "\t", "\r", "\n"))]
        assert [] == [cell for cell in cells if "\n" in cell or "\r" in cell]


def test_an_engine_named_like_a_formula_is_made_inert(folder: Path) -> None:
    """The apostrophe is what a spreadsheet itself writes before text."""
    table = pandas.read_csv(folder / "mismatches.csv", keep_default_na=False)
    assert "'=evil" in set(table["engine"])


def test_one_table_alone(report: Report, tmp_path: Path) -> None:
    """A file's name says which table is wanted."""
    render(report, tmp_path / "mismatches-of-today.csv")
    render(report, tmp_path / "findings.csv")
    assert len(pandas.read_csv(tmp_path / "mismatches-of-today.csv")) == len(report.mismatches) >= len(NASTY)
    assert len(pandas.read_csv(tmp_path / "findings.csv")) == len(report.findings)


def test_half_a_character_in_a_name_is_spelled(report: Report, tmp_path: Path) -> None:
    """An engine's message may hold a lone surrogate, for which UTF-8 has no bytes; every table and page is written."""
    pair = replace(report.pairs[0], unavailable="\ud800")
    odd = replace(report, findings=tuple(replace(one, reason="\udcff") for one in report.findings), pairs=(pair,))
    for name, renderer in (("csv", render), ("md", markdown.render), ("txt", text.render)):
        renderer(odd, tmp_path / name)
    assert "\\udcff" in (tmp_path / "csv" / "findings.csv").read_text("utf-8")


def test_a_folder_that_is_named_as_a_table_is_a_folder(report: Report, tmp_path: Path) -> None:
    """`--out night.csv` is the folder of a report, and both tables go into it."""
    folder = tmp_path / "night.csv"
    folder.mkdir()
    render(report, folder)
    assert ["findings.csv", "mismatches.csv", "pairs.csv"] == sorted(path.name for path in folder.iterdir())
