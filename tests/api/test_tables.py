"""Stored reports as tables: every value, odd lines, damaged files, many rows."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pandas
import pytest

import tokparity
from tokparity.case import Case, Origin, text_case
from tokparity.difference import Difference
from tokparity.errors import FormatError
from tokparity.finding import Finding, Mismatch
from tokparity.outcome import Decoding, Encoding, Failure, Outcome
from tokparity.questions import Decode, Encode
from tokparity.questions.json_text import parse
from tokparity.report.file import ReportWriter, write
from tokparity.report.mismatch_rows import COLUMNS, rows
from tokparity.report.model import Footer, Header, Pair, Report

HEADER = Header("0.1.0", "15.0", {"e": "1"}, {"m": {}}, 0, ("tokparity", "run"), "now")
IDS, TEXT = Difference("ids", 2), Difference("decode", 1)
TEXTS = (
    b"plain",
    b"\xff\xfe no UTF-8",
    'quotes " and \\ and \u202e'.encode(),
    b'", "first_difference": "ids:9", "expected": {"ids": [7]}, "actual": {',
    b'}, "expected_pieces": [], "actual_pieces": []}',
    "日本語 \U0001f600".encode(),
    b"",
)


def mismatch(text: bytes, actual: Outcome, difference: Difference = IDS, model: str = "m") -> Mismatch:
    """A mismatch with pieces that hold the text."""
    expected = Encoding((1, 2, 300000), text)
    return Mismatch(
        text_case(text, False, True, Origin("corpus", text.decode("utf-8", "replace") or "c", 7)),
        model, "e", "o", expected, actual, difference, (text, b"b", b"\xe3"), (text,),
    )  # fmt: skip


def mismatches() -> list[Mismatch]:
    """Every kind of outcome on texts that try to be something else."""
    rows = Decode((5, -1), True)
    return [
        *(mismatch(text, Encoding((1, 3), text[:1])) for text in TEXTS),
        mismatch(b"x", Encoding((1, 2, 300000)), TEXT, 'a "model" \\'),
        mismatch(b"crash", Failure("crash", 'said "so", "decoded": \u2028', 6), Difference("failure", failure="crash")),
        Mismatch(Case(rows, Origin("generator", "ids", 3, 1)), "m", "e", "o", Decoding(b"a\xff"), Decoding(b"b"), TEXT),
        replace(mismatch(b"y", Encoding((1, 2))), after=(Encode(b'", "after": []'), rows)),
    ]


def stored(folder: Path) -> Path:
    """A report with these, one finding and one pair."""
    found = mismatches()
    finding = Finding(
        "e-x", "m", "e", "o", "verified", found[0], 2, 5, ("cleans_up_spaces",), accepted=True, reason="so"
    )
    report = Report(
        HEADER,
        (Pair("m", "e", "o", cases=20, equal=10, mismatches=10), Pair("m", "o", "o", cases=20)),
        tuple(found),
        (finding,),
        {("m", "e-x"): (0, 2)},
        footer=Footer("complete", 1.0),
    )
    write(report, folder / "report.jsonl")
    return folder / "report.jsonl"


def test_every_value_comes_back(tmp_path: Path) -> None:
    """Texts, ids and pieces are literals of what was stored, however they are spelled."""
    table = tokparity.load_report(stored(tmp_path)).mismatches
    found = mismatches()
    assert len(found) == len(table)
    for one, at in zip(found, table.to_dict("records"), strict=True):
        question = one.case.question
        assert (one.model, one.engine, one.oracle, question.KIND) == (
            at["model"],
            at["engine"],
            at["oracle"],
            at["question"],
        )
        assert str(one.case.origin) == at["origin"]
        assert (one.difference.aspect, one.difference.place if one.difference.aspect != "failure" else -1) == (
            at["aspect"], at["place"],
        )  # fmt: skip
        assert one.expected_pieces == tuple(parse(json.dumps(piece)) for piece in json.loads(at["expected_pieces"]))
        assert one.actual_pieces == tuple(parse(json.dumps(piece)) for piece in json.loads(at["actual_pieces"]))
        if isinstance(question, Decode):
            assert list(question.ids) == json.loads(at["text"])
        else:
            assert question.text == parse(at["text"])
            assert (question.add_special, question.parse_special) == (at["add_special"], at["parse_special"])
        for outcome, side in ((one.expected, "expected"), (one.actual, "actual")):
            ids, decoded = getattr(outcome, "ids", None), getattr(outcome, "decoded", None)
            assert (None if ids is None else list(ids)) == (
                json.loads(at[f"{side}_ids"]) if at[f"{side}_ids"] else None
            )
            assert decoded == (parse(at[f"{side}_text"]) if at[f"{side}_text"] else None)
    assert ["e-x", "", "e-x"] == list(table["finding"][:3])
    assert ("crash", 'said "so", "decoded": \u2028') == tuple(table.iloc[8][["failure", "message"]])


def test_tables_have_the_columns_of_the_page(tmp_path: Path) -> None:
    """Names and dtypes as docs/api.md has them, also where there is no row."""
    page = (Path(__file__).parents[2] / "docs" / "api.md").read_text("utf-8")
    sections = {name: page.partition(f"`report.{name}`, one row")[2].partition("\n\n`")[0].partition("\n## ")[0]
                for name in ("mismatches", "findings", "pairs")}  # fmt: skip
    with_rows = tokparity.load_report(stored(tmp_path))
    ReportWriter(tmp_path / "empty.jsonl", HEADER).flush()
    for loaded in (with_rows, tokparity.load_report(tmp_path / "empty.jsonl")):
        for name, section in sections.items():
            rows = [line.split("|")[1:3] for line in section.splitlines() if line.startswith("| `")]
            documented = {}
            for names, kinds in rows:
                each = [one.strip(" `") for one in names.split(",")]
                kind = [one.strip() for one in kinds.split(",")]
                documented |= dict(zip(each, kind * len(each) if len(kind) == 1 else kind, strict=True))
            table: pandas.DataFrame = getattr(loaded, name)
            assert documented == {str(column): str(dtype) for column, dtype in table.dtypes.items()}


def test_findings_pairs_and_verdict(tmp_path: Path) -> None:
    """What was concluded; a directory stands for the report in it."""
    stored(tmp_path)
    loaded = tokparity.load_report(tmp_path)
    (finding,) = loaded.findings.to_dict("records")
    assert ("accepted", False, ["cleans_up_spaces"], "so") == (
        finding["standing"], finding["new"], finding["quirks"], finding["reason"],
    )  # fmt: skip
    assert [0.5, True] == [loaded.pairs["share"][0], bool(pandas.isna(loaded.pairs["share"][1]))]
    assert "known" == loaded.verdict.result


def test_a_report_that_was_cut_off(tmp_path: Path) -> None:
    """What was written until then is there; a line that is damaged in the middle is told."""
    path = stored(tmp_path)
    lines = [
        line for line in path.read_bytes().splitlines(keepends=True) if b'"mismatch"' in line or b"header" in line[:30]
    ]
    cut = tmp_path / "cut.jsonl"
    cut.write_bytes(b"".join(lines[:4])[:-30])
    loaded = tokparity.load_report(cut)
    assert (2, None) == (len(loaded.mismatches), loaded.report.footer)
    spaced = lines[1].replace(b'"model": "m"', b'"model":  ["m"]')  # so it is parsed, and is not a name
    for damaged in (lines[1].replace(b'"case"', b'"caze"'), spaced):
        assert damaged != lines[1]
        cut.write_bytes(b"".join([lines[0], damaged, *lines[2:4]]))
        with pytest.raises(FormatError, match="damaged mismatch"):
            tokparity.load_report(cut)
    with pytest.raises(FormatError, match="damaged mismatch"):
        tokparity.load_report(cut)
    with pytest.raises(FormatError, match="cannot read"):
        tokparity.load_report(tmp_path / "nowhere.jsonl")


def test_a_line_in_another_order_is_read() -> None:
    """Other programs may spell the same record otherwise."""
    record = {
        "actual_pieces": ["a"], "expected_pieces": [], "actual": {"decoded": None, "ids": [1]}, "engine": "e",
        "expected": {"ids": [2], "decoded": "\ud800"}, "first_difference": "ids:0", "oracle": "o", "model": "m",
        "case": {"origin": "o", "text": "t", "add_special": True, "parse_special": False}, "type": "mismatch",
    }  # fmt: skip
    (one, two) = rows([json.dumps(dict(reversed(record.items()))).encode(), json.dumps(record).encode()])
    assert one == two
    found = dict(zip(COLUMNS, one, strict=True))
    assert ("encode", '"t"', "[2]", "", '"\\ud800"') == (
        found["question"], found["text"], found["expected_ids"], found["actual_text"], found["expected_text"],
    )  # fmt: skip


def test_many_rows(tmp_path: Path) -> None:
    """As many rows as lines, all alike; lines of one shape are read as one table."""
    path = tmp_path / "report.jsonl"
    writer = ReportWriter(path, HEADER)
    writer.mismatch(
        mismatch("The quick brown fox, 日本語".encode(), Encoding(tuple(range(12)), b"The quick brown fox"))
    )
    writer.flush()
    header, line = path.read_bytes().splitlines()
    path.write_bytes(header + b"\n" + (line + b"\n") * 50_000)
    found = tokparity.load_report(path).mismatches
    assert (50_000, 1) == (len(found), len(found.drop_duplicates()))
