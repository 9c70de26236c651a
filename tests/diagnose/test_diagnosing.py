"""The run's diagnosis: what it keeps, what it tells, and the same from the stored report."""

from __future__ import annotations

from pathlib import Path

import pytest

from tokparity import cli
from tokparity.report.file import read
from tokparity.report.model import Report

ENGINE = "reference+greedy_longest_match+writes_spaces_as_bytes"
MODEL = "small-spm"


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of one engine with two quirks."""
    out = tmp_path_factory.mktemp("run")
    words = ["run", MODEL, "--engine", ENGINE, "--cases", "300", "--corpus", "prompts", "--corpus", "code"]
    assert 0 == cli.main([*words, "--out", str(out)])
    return out / "report.jsonl"


def about(report: Report) -> list[tuple[str, tuple[str, ...]]]:
    """Status and quirks of the findings about the engine."""
    return [(finding.status, finding.quirks) for finding in report.findings_of(MODEL, ENGINE)]


def test_a_run_explains_what_it_finds(report: Path) -> None:
    """A finding for each cause and one for both, verified on all mismatches and on controls in the report."""
    found = read(report)
    greedy, spaces = ("greedy_longest_match",), ("writes_spaces_as_bytes",)
    assert {("verified", greedy), ("verified", spaces), ("verified", (*greedy, *spaces))} == set(about(found))
    for finding in found.findings_of(MODEL, ENGINE):
        members = [found.mismatches[place] for place in found.members[MODEL, finding.name]]
        assert finding.mismatches == sum(not member.case.origin.shrunk for member in members)
        assert finding.verified == len(members)
        assert 0 < finding.controls <= sum(control.engine == ENGINE for control in found.controls)
        assert "model_type" in dict(finding.context)
        sizes = {key: value for key, value in finding.context if key in ("pieces", "merges", "scores")}
        assert ({"pieces": "2,800", "scores": "2,800"} if greedy[0] in finding.quirks else {}) == sizes


def test_the_analysis_is_in_the_report(report: Path) -> None:
    """In Markdown and in HTML."""
    markdown = (report.parent / "report.md").read_text(encoding="utf-8")
    assert "#### Root cause" in markdown
    assert "#### Token ids side by side" in markdown
    html = (report.parent / "index.html").read_text(encoding="utf-8")
    assert "Matches the longest piece first instead of merging" in html


def test_a_stored_report_suffices(report: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """No engine is asked, the finding is the same, and it can be written."""
    assert 0 == cli.main(["diagnose", str(report), "--out", str(tmp_path / "again")])
    assert "verified: greedy_longest_match + writes_spaces_as_bytes" in capsys.readouterr().out
    before, after = read(report), read(tmp_path / "again" / "report.jsonl")
    assert about(before) == about(after)
    assert (before.mismatches, before.controls, before.pairs) == (after.mismatches, after.controls, after.pairs)


def test_a_truncated_report_is_diagnosed(report: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It says so first; counts, findings and footer need not be there, but of an attack only findings tell."""
    kept = [line for line in report.read_bytes().splitlines(True) if line.split(b'"')[3] in (b"header", b"mismatch")]
    (tmp_path / "cut.jsonl").write_bytes(b"".join(kept) + b'{"type": "mis')
    assert 0 == cli.main(["diagnose", str(tmp_path / "cut.jsonl")])
    out = capsys.readouterr().out
    assert out.startswith("The report is truncated")
    assert "reproduced: greedy_longest_match + writes_spaces_as_bytes" in out


def test_a_newer_report_is_refused(report: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With the version that wrote it."""
    data = report.read_bytes().replace(b'"format": 2', b'"format": 99', 1)
    (tmp_path / "new.jsonl").write_bytes(data)
    assert 2 == cli.main(["diagnose", str(tmp_path / "new.jsonl")])
    assert "report format 99" in capsys.readouterr().err


def test_a_model_that_changed_is_refused(report: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Findings about another file would mean nothing."""
    data = report.read_bytes().split(b"\n", 1)
    import json

    header = json.loads(data[0])
    header["models"][MODEL] = dict.fromkeys(header["models"][MODEL], "0" * 64)
    (tmp_path / "other.jsonl").write_bytes(json.dumps(header).encode() + b"\n" + data[1])
    assert 2 == cli.main(["diagnose", str(tmp_path / "other.jsonl")])
    assert "is not the file that the report is about" in capsys.readouterr().err


def test_no_mismatches_no_findings(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """There is nothing to explain, and it is said."""
    words = ["run", MODEL, "--engine", "reference", "--cases", "10", "--corpus", "prompts", "--out", str(tmp_path)]
    assert 0 == cli.main(words)
    assert 0 == cli.main(["diagnose", str(tmp_path / "report.jsonl")])
    assert "there is nothing to diagnose" in capsys.readouterr().out
