"""--ask: which kinds of question are put, and how a report shows streams."""

from __future__ import annotations

import csv
import json
import sys
from pathlib import Path

import pytest

import tokparity
from tests.byte_pieces import with_byte_pieces
from tokparity.cli import main
from tokparity.models.record import EMBEDDED
from tokparity.report.file import read

pytestmark = pytest.mark.usefixtures("few_texts", "few_beside_texts")

ADAPTER = Path(__file__).parents[2] / "adapters" / "adapter.py"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of a run that puts streams to an engine that loses their end."""
    out = tmp_path_factory.mktemp("streams")
    engine = "reference+stream_drops_incomplete_end"
    assert 0 == main(["run", "small-spm", "--ask", "stream", "--engine", engine, "--out", str(out)])
    return out


def test_an_unknown_kind_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    """The message lists the known ones."""
    assert 2 == main(["run", "small-spm", "--ask", "encode,smell"])
    assert "the known ones are encode, decode, stream, again" in capsys.readouterr().err


def test_streams_are_counted(folder: Path) -> None:
    """For each engine that has one; an engine that can't be asked for special tokens is asked for the others."""
    pairs = {pair.engine: pair for pair in read(folder / "report.jsonl").pairs}
    assert 1001 == pairs["reference+stream_drops_incomplete_end"].streams
    assert 0 < pairs["reference+stream_drops_incomplete_end"].streams_differ < 1001
    assert 0 < pairs["sentencepiece"].streams < 1001


def test_every_file_of_a_report_shows_streams(folder: Path) -> None:
    """The table of mismatches, the tables of load_report, the page and the command that repeats the smallest."""
    with (folder / "mismatches.csv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["kind"] == "stream"]
    lost = [row["first_difference"] for row in rows if row["engine"] == "reference+stream_drops_incomplete_end"]
    assert {"stream-joined"} == {difference.partition(":")[0] for difference in lost}
    assert all(json.loads(row["text"]) for row in rows)
    assert {list} == {type(json.loads(row["actual_text"])) for row in rows}
    table = tokparity.load_report(folder).mismatches
    streams = table[table["question"] == "stream"]
    assert [row["actual_text"] for row in rows] == list(streams["actual_text"])
    assert [row["text"] for row in rows] == list(streams["text"])
    assert "stream-joined" in set(tokparity.load_report(folder).findings["aspect"])
    page = (folder / "index.html").read_text(encoding="utf-8")
    assert "tokparity diff small-spm --engine reference+stream_drops_incomplete_end --stream" in page


@pytest.fixture(scope="module")
def again(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of a run that encodes again, with an engine that is wrong at some texts."""
    out = tmp_path_factory.mktemp("again")
    engine = "reference+greedy_longest_match"
    assert 0 == main(["run", "small-spm", "--ask", "again", "--engine", engine, "--out", str(out)])
    return out


@pytest.mark.nightly
def test_what_comes_back_is_in_every_file_of_a_report(again: Path) -> None:
    """The counts, and the smallest text that is lost with its cause: in tables, Markdown and the page."""
    pairs = {pair.engine: pair for pair in read(again / "report.jsonl").pairs}
    own, oracle = pairs["reference+greedy_longest_match"], pairs["sentencepiece"]
    assert own.again > oracle.again > 500
    assert oracle.again == oracle.again_same == oracle.again_stable
    assert own.again > own.again_same > own.again // 2
    assert 500 == own.again_rows > own.again_rows_stable > own.again_rows_same > 0
    assert 0 < own.again_differ
    assert own.again_cause.startswith("decoding adds a space")
    table = tokparity.load_report(again).pairs
    assert [pair.again_same for pair in pairs.values()] == list(table["again_same"])
    with (again / "pairs.csv").open(encoding="utf-8", newline="") as file:
        rows = {row["engine"]: row for row in csv.DictReader(file)}
    smallest = rows[own.engine]["again_smallest"]
    assert smallest == dict(zip(table["engine"], table["again_smallest"], strict=True))[own.engine] != ""
    assert str(own.again_same) == rows[own.engine]["again_same"]
    for name in ("index.html", "report.md"):
        written = (again / name).read_text(encoding="utf-8")
        assert "Encoded again" in written
        assert own.again_cause in written


def test_a_cause_of_encoding_again_is_one_of_encoding(again: Path) -> None:
    """The mismatch is the plain question that was wrong on the way, so one finding has all."""
    found = read(again / "report.jsonl")
    assert ["reference+greedy_longest_match"] == [finding.engine for finding in found.findings if finding.is_new]
    assert {"encode"} == {one.case.question.KIND for one in found.mismatches if one.engine.endswith("_match")}


@pytest.mark.nightly
def test_what_an_engine_is_known_for_is_no_new_finding_of_text_that_is_encoded_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """In either step: bytes that are no UTF-8, and a space that a byte piece gives."""
    words = ["--engine", "llama.cpp", "--engine", "tokenizers", "--out", str(tmp_path)]
    assert 0 == main(["check", "small-spm", "--ask", "again", *words])
    assert "llama.cpp has" in capsys.readouterr().out
    known = {name for finding in read(tmp_path / "report.jsonl").findings for name in finding.quirks}
    assert {"keeps_invalid_bytes", "strips_decoded_space_of_bytes"} <= known


def test_diff_shows_the_way_of_the_ids(capsys: pytest.CaptureFixture[str]) -> None:
    """Step by step, and where an engine is wrong."""
    assert 0 == main(["diff", "small-spm", "--again", "a b", "--engine", "reference"])
    assert '[1, 266, 285] -> "a b"' in capsys.readouterr().out
    assert 1 == main(["diff", "small-spm", "--again", "a b", "--engine", "llama.cpp"])
    out = capsys.readouterr().out
    assert "! llama.cpp      other ids come back, and others again  first difference: in the decoded text" in out


def test_what_the_streams_of_an_engine_are_known_for_is_no_new_finding(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The gate is green, and says so."""
    words = ["--ask", "stream", "--engine", "llama.cpp", "--engine", "sentencepiece", "--out", str(tmp_path)]
    assert 0 == main(["check", "small-spm", *words])
    assert "sentencepiece has 1 known deviation" in capsys.readouterr().out


def test_only_what_was_asked_is_put(folder: Path, again: Path) -> None:
    """No text of the probe set and of known deviations, and the report says what was asked."""
    for report, kind in ((read(folder / "report.jsonl"), "stream"), (read(again / "report.jsonl"), "again")):
        assert (kind,) == report.header.asked
        assert {0} == {pair.cases for pair in report.pairs}


def test_a_search_for_streams_alone_puts_no_text(tmp_path: Path) -> None:
    """The number of cases is that of the streams."""
    words = ["--ask", "stream", "--cases", "100", "--engine", "llama.cpp", "--out", str(tmp_path)]
    assert 0 == main(["fuzz", "small-spm", *words])
    pairs = {pair.engine: pair for pair in read(tmp_path / "report.jsonl").pairs}
    assert {0} == {pair.cases for pair in pairs.values()}
    assert 128 == pairs["llama.cpp"].streams


def test_streams_alone_are_held_against_an_engine_s_own_decoding(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """So the oracle can be wrong as well, and a comparison has taken place."""
    words = ["--ask", "stream", "--engine", "sentencepiece", "--out", str(tmp_path)]
    assert 0 == main(["check", "small-spm", *words])
    assert "sentencepiece has 1 known deviation" in capsys.readouterr().out


def test_what_only_the_oracle_encodes_again_is_no_green(tmp_path: Path) -> None:
    """It is right by definition."""
    assert 3 == main(["check", "small-spm", "--ask", "again", "--engine", "sentencepiece", "--out", str(tmp_path)])


def test_streams_of_the_oracle_alone_are_no_green(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Texts were put to it as well, and nobody else was asked."""
    assert 3 == main(
        ["check", "small-spm", "--ask", "encode,stream", "--engine", "sentencepiece", "--out", str(tmp_path)]
    )
    assert "nothing was compared on small-spm" in capsys.readouterr().out


def test_an_engine_that_can_answer_nothing_that_was_asked_is_no_green(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It was demanded by name, and the others' answers say nothing of it."""
    adapter = f"exec:{sys.executable} {ADAPTER}"
    words = ["--engine", adapter, "--engine", "sentencepiece", "--out", str(tmp_path)]
    assert 3 == main(["check", "small-spm", "--ask", "stream", *words])
    assert "can answer nothing that was asked on small-spm" in capsys.readouterr().out


def test_spans_of_the_oracle_alone_are_judged(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The reference says how far a span may reach, so the oracle's can be wrong."""
    words = ["--ask", "spans", "--engine", "sentencepiece", "--out", str(tmp_path)]
    assert 0 == main(["check", "small-spm", *words])
    said = capsys.readouterr()
    assert "all equal" in said.err
    assert "No stream, span or prompt is wrong." in said.out


@pytest.mark.parametrize(("kind", "told"), [("stream", "No new findings."), ("decode", "No new findings.")])
def test_a_file_of_which_no_text_was_encoded_is_not_called_right(
    kind: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its ids were not compared, so the answer is about the engine alone."""
    file = tmp_path / "small.gguf"
    assert 0 == main(["convert", str(EMBEDDED / "small-spm.model"), "--to", "gguf", "-o", str(file)])
    words = ["--ask", kind, "--engine", "llama.cpp", "--cases", "20", "--out", str(tmp_path / "out")]
    assert 0 == main(["check", str(file), "--against", str(EMBEDDED / "small-spm.model"), *words])
    out = capsys.readouterr().out
    assert told in out
    assert "Your file is right" not in out


def test_a_line_does_not_call_equal_what_nobody_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The oracle alone is right by definition."""
    assert 3 == main(["check", "small-spm", "--ask", "encode", "--engine", "sentencepiece", "--out", str(tmp_path)])
    out = capsys.readouterr()
    assert "all equal" not in out.out + out.err
    assert "nothing compared" in out.out + out.err


@pytest.mark.parametrize("words", [("--stream", "--again"), ("--again", "--spans"), ("--spans", "--ids")])
def test_diff_refuses_two_questions_at_once(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    """One of them would be left out in silence."""
    assert 2 == main(["diff", "small-spm", "1 2", *words])
    assert "ask for different things" in capsys.readouterr().err


def test_diff_refuses_spans_of_what_has_no_characters(capsys: pytest.CaptureFixture[str]) -> None:
    """It would end in green without an answer."""
    assert 2 == main(["diff", "small-spm", "\udcff", "--spans"])
    assert "is not UTF-8, so it has no characters" in capsys.readouterr().err


def test_where_decoding_takes_text_back_no_engine_is_wrong(tmp_path: Path) -> None:
    """In a tokenizer.json with byte pieces, one wrong byte turns all that stand before it into U+FFFD. No stream can be
    right there, so the reference is not called wrong. Another engine's fault is found on the other rows."""
    path = tmp_path / "tokenizer.json"
    path.write_text(json.dumps(with_byte_pieces()))
    faulty = "reference+streams_each_id_alone"
    words = [
        *("--tokenizer-json", str(path), "--ask", "stream", "--engine", "tokenizers", "--engine", "reference"),
        *("--engine", faulty, "--out", str(tmp_path / "out")),
    ]
    assert 1 == main(["check", *words])
    report = read(tmp_path / "out" / "report.jsonl")
    assert 0 == next(pair.streams_differ for pair in report.pairs if pair.engine == "reference")
    new = [(one.engine, one.quirks) for one in report.findings if one.standing not in ("known", "accepted")]
    assert [(faulty, ("streams_each_id_alone",))] == new
