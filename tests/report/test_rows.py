"""Rows of ids in a report: every renderer shows the ids, what they should have become, and how to ask again."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pandas
import pytest

from tokparity.case import Case, Origin
from tokparity.difference import Difference
from tokparity.finding import Finding, Mismatch
from tokparity.outcome import Decoding, Failure
from tokparity.questions import Decode
from tokparity.report import render
from tokparity.report.file import read, write
from tokparity.report.model import Pair, Report
from tokparity.report.render.causes import causes
from tokparity.report.render.command import reproduce
from tokparity.report.render.rows import rows

ENGINE = "llama.cpp"
ROW = Case(Decode((3, 196, 2)), Origin("generator", "id_sequences", 5))
SHOWN = Case(Decode((3, 196, 2), skip_special=False), Origin("generator", "id_sequences", 6))
OTHERWISE, CRASH = Difference("decode", 1), Difference("failure", failure="crash")
PIECES = (b"a", b"<unk>", b"</s>")


@pytest.fixture(name="report")
def with_rows(report: Report) -> Report:
    """The report with rows that decode differently, and one that kills."""
    rows = (
        Mismatch(ROW, "nai-t5", ENGINE, "o", Decoding(b"a\xff"), Decoding(b"a"), OTHERWISE, PIECES, PIECES),
        Mismatch(SHOWN, "nai-t5", ENGINE, "o", Decoding(b"a"), Failure("crash", "", 6), CRASH),
    )
    first = len(report.mismatches)
    findings = [Finding(f"f-{m.kind}", m.model, m.engine, m.oracle, "unexplained", m, 1) for m in rows]
    members = {(finding.model, finding.name): (first + place,) for place, finding in enumerate(findings)}
    return replace(
        report,
        pairs=(*report.pairs[:3], Pair("nai-t5", ENGINE, "o", rows=640, rows_differ=2), *report.pairs[4:]),
        mismatches=(*report.mismatches, *rows),
        findings=(*findings, *report.findings),
        members={**report.members, **members},
    )


@pytest.mark.parametrize("name", ["html", "junit", "markdown", "sarif", "text"])
def test_ids_are_shown(report: Report, tmp_path: Path, name: str) -> None:
    """As the array that they are."""
    render.render(name, report, tmp_path / "out")
    assert "[3, 196, 2]" in (tmp_path / "out").read_text(encoding="utf-8").replace("␣", " ")


def test_the_matrix_counts_rows_and_streams(report: Report, tmp_path: Path) -> None:
    """Beside the share of texts with equal ids, which says nothing of them."""
    pair = replace(report.pairs[3], streams=700, streams_differ=524)
    told = replace(report, pairs=(*report.pairs[:3], pair, *report.pairs[4:]))
    render.render("text", told, tmp_path / "text")
    shown = (tmp_path / "text").read_text(encoding="utf-8")
    assert "2 rows" in shown
    assert "524 streams" in shown
    render.render("markdown", told, tmp_path / "markdown")
    assert ", 2 rows, 524 streams" in (tmp_path / "markdown").read_text(encoding="utf-8")


def test_tables_say_what_was_asked(report: Report, tmp_path: Path) -> None:
    """The kind of question, the ids in the place of a text, and both texts."""
    render.render("csv", report, tmp_path)
    table = pandas.read_csv(tmp_path / "mismatches.csv", keep_default_na=False, dtype=str)
    (row, dead) = table[table["kind"] == "decode"].to_dict("records")
    assert ("[3, 196, 2]", "", "") == (row["text"], row["add_special"], row["parse_special"])
    assert ('{"base64": "Yf8="}', '"a"') == (row["expected_text"], row["actual_text"])
    assert ("failure:crash", "f-row-failure-crash-6") == (dead["first_difference"], dead["finding"])
    assert len(report.mismatches) - 2 == sum(table["kind"] == "encode")


def test_rows_are_stored_and_read(report: Report, tmp_path: Path) -> None:
    """As all else is."""
    write(report, tmp_path / "report.jsonl")
    again = read(tmp_path / "report.jsonl")
    assert report.mismatches[-2:] == again.mismatches[-2:]
    assert report.findings[:2] == again.findings[:2]


def test_ids_have_a_command(report: Report) -> None:
    """It shows special tokens where these were asked for."""
    model = "--sentencepiece 'my models/nai-t5.model'"
    assert [
        f"tokparity diff {model} --engine llama.cpp --ids '[3, 196, 2]'",
        f"tokparity diff {model} --engine llama.cpp --ids --keep-special '[3, 196, 2]'",
    ] == [reproduce(report, mismatch) for mismatch in report.mismatches[-2:]]


def test_two_texts_stand_side_by_side_where_decoding_differs(report: Report) -> None:
    """The table of the page shows what the ids decode to, and not how many ids there are."""
    page = json.loads(rows(report, causes(report)).json)
    row = next(row for row in page["rows"] if row[7] == "decode:1")
    assert [-1, -1] == row[9:11]
    assert ['"a b"', '"aéb"'] == row[11:13]
