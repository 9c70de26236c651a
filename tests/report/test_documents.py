"""Markdown, JUnit, SARIF and text: each is what its readers expect, whatever the texts are."""

from __future__ import annotations

import html
import json
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from tokparity.errors import UsageError
from tokparity.finding import Finding
from tokparity.report import render
from tokparity.report.model import Report


def written(name: str, report: Report, folder: Path) -> str:
    """What a renderer wrote."""
    render.render(name, report, folder / "out")
    return (folder / "out").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["html", "junit", "markdown", "sarif", "text"])
def test_nothing_unprintable_is_written(report: Report, tmp_path: Path, name: str) -> None:
    """No renderer passes on a control or bidi character of a text."""
    found = {c for c in written(name, report, tmp_path) if not c.isprintable() and c not in "\n\t"}
    assert set() == found


def test_markdown_has_matrix_and_findings(report: Report, tmp_path: Path) -> None:
    """The matrix is a table with a column for each engine, and every finding has its heading."""
    text = written("markdown", report, tmp_path)
    (row,) = [line for line in text.splitlines() if line.startswith("| nai-t5")]
    assert len(report.engines()) + 2 == row.count("|")
    assert "99.91 %, 19 differ" in row
    for finding in report.findings:
        assert finding.name in text
    assert "&lt;b&gt;gemma" in text


def test_markdown_code_cannot_be_left(report: Report, tmp_path: Path) -> None:
    """A text with a fence in it stays inside its block, because blocks are indented."""
    assert not [line for line in written("markdown", report, tmp_path).splitlines() if line.startswith("```")]


def test_junit_counts_agree(report: Report, tmp_path: Path) -> None:
    """One test case per pair, failed where there is a finding, skipped where the engine is unavailable."""
    root = ElementTree.fromstring(written("junit", report, tmp_path))
    assert len(report.pairs) == len(root.findall("testsuite/testcase"))
    suite = root.find("testsuite[@name='nai-t5']")
    assert suite is not None
    assert ("4", "2", "1") == (suite.get("tests"), suite.get("failures"), suite.get("skipped"))


def test_junit_accepts_what_is_accepted(report: Report, tmp_path: Path) -> None:
    """A pair whose findings are all accepted passes."""
    known = replace(report, findings=tuple(replace(f, accepted=True, reason="known") for f in report.findings))
    assert [] == ElementTree.fromstring(written("junit", known, tmp_path)).findall(".//failure")


def test_truncated_report_is_an_error_in_junit(report: Report, tmp_path: Path) -> None:
    """CI must not take half a run for a whole one."""
    root = ElementTree.fromstring(written("junit", replace(report, footer=None), tmp_path))
    assert 1 == len(root.findall(".//error"))


def _print(finding: Finding) -> str:
    return f"{finding.model}/{finding.name}"


def _printed(result: dict[str, Any]) -> str:
    return str(result["partialFingerprints"]["tokparityFinding/v1"])


def test_sarif_has_one_result_per_finding(report: Report, tmp_path: Path) -> None:
    """Every result has a rule that exists, a message, a place and a fingerprint of its own."""
    log = json.loads(written("sarif", report, tmp_path))
    (run,) = log["runs"]
    assert ("2.1.0", len(report.findings)) == (log["version"], len(run["results"]))
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    for result in run["results"]:
        assert rules[result["ruleIndex"]] == result["ruleId"]
        assert "unicode-marks" == result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert sorted(map(_print, report.findings)) == sorted(map(_printed, run["results"]))
    for finding, result in zip(sorted(report.findings, key=_print), sorted(run["results"], key=_printed), strict=True):
        about = f"{finding.engine} disagrees with {finding.oracle} on {finding.model} in {finding.cases}"
        assert result["message"]["text"].startswith(about)


def test_text_has_matrix_examples_and_reasons(report: Report, tmp_path: Path) -> None:
    """The matrix, why an engine was unavailable, and texts with both sides."""
    text = written("text", report, tmp_path)
    for part in ("100 %*", "99.91 %", "gguf cannot say <normalizer>", "crash: <i>out_of_range", '96 "p96"  97 "p97"'):
        assert part in text, part
    assert "19 differ" in text


@pytest.mark.parametrize("name", ["html", "markdown", "text"])
def test_a_report_says_what_its_table_means(report: Report, tmp_path: Path, name: str) -> None:
    """Each word of the table of models and engines is explained below it, and so is why an engine was not run."""
    pairs = tuple(replace(pair, unsupported=7) if pair.mismatches else pair for pair in report.pairs)
    text = " ".join(html.unescape(written(name, replace(report, pairs=pairs), tmp_path)).split())
    for told in (
        "differ: other ids than the oracle's",
        "fail: an error or a crash instead of ids",
        "decode: the same ids, decoded to another text",
        "not run: texts that the engine cannot take",
        "llama.cpp unavailable on nai-t5: gguf cannot say <normalizer>",
    ):
        assert told in text, told
    assert "streams: " not in text


def test_known_deviations_are_counted_as_the_verdict_does(report: Report, tmp_path: Path) -> None:
    """Two findings of the same two deviations, and one of one of them, are two deviations in two rows."""
    of = (("a", ("drops_bos", "drops_eos")), ("b", ("drops_bos", "drops_eos")), ("c", ("drops_bos",)))
    found = tuple(
        replace(report.findings[0], name=f"x{n}", model=model, quirks=quirks, known="on record", status="verified")
        for n, (model, quirks) in enumerate(of)
    )
    page = written("html", replace(report, findings=found, members={}), tmp_path)
    assert "Known deviations of engines: 2, alone or together in 2 rows" in page
    assert "has 2 known deviations" in page
    assert 1 == page.count("with the most cases: ")
    assert 1 == page.partition("with the most cases: ")[2].partition("</p>")[0].count("; ")


def test_unknown_format_and_unwritable_path(report: Report, tmp_path: Path) -> None:
    """Both are errors that the user can act on."""
    with pytest.raises(UsageError, match="pdf"):
        render.render("pdf", report, tmp_path / "out")
    with pytest.raises(UsageError, match="cannot write"):
        render.render("html", report, tmp_path / "no" / "such" / "folder")
