"""SARIF and JUnit output is valid by the schemas that are published for them, whatever the texts are."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import xmlschema

from tokparity.report import render
from tokparity.report.model import Report

DATA = Path(__file__).parents[1] / "data"
SARIF = jsonschema.Draft4Validator(json.loads((DATA / "sarif-schema-2.1.0.json").read_text("utf-8")))
JUNIT = xmlschema.XMLSchema(DATA / "junit-10.xsd")


def accepted(report: Report, reason: str) -> Report:
    """The report with every finding accepted."""
    return replace(report, findings=tuple(replace(found, accepted=True, reason=reason) for found in report.findings))


CHANGES: dict[str, Callable[[Report], Report]] = {
    "as it is": lambda report: report,
    "truncated": lambda report: replace(report, footer=None),
    "accepted": lambda report: accepted(report, "known since \x00 <2024> \u202e"),
    "accepted for no reason": lambda report: accepted(report, ""),
    "slow": lambda report: replace(report, pairs=tuple(replace(pair, seconds=12345.6789) for pair in report.pairs)),
    "nothing found": lambda report: replace(report, findings=(), mismatches=(), members={}),
    "nothing compared": lambda report: replace(report, findings=(), mismatches=(), members={}, pairs=()),
}


@pytest.fixture(params=CHANGES)
def changed(request: pytest.FixtureRequest, report: Report) -> Report:
    """The report that has all that is hard to show, in each state that a report can be in."""
    return CHANGES[request.param](report)


def sarif_errors(log: Any) -> list[str]:
    """What the schema says against a log."""
    return [f"{error.json_path}: {error.message}" for error in SARIF.iter_errors(log)]


def junit_errors(source: str) -> list[str]:
    """What the schema says against a file's text."""
    return [f"{error.path}: {error.reason}" for error in JUNIT.iter_errors(source)]


def test_sarif_is_valid(changed: Report, tmp_path: Path) -> None:
    """OASIS's schema has nothing to say."""
    render.render("sarif", changed, tmp_path / "out")
    assert [] == sarif_errors(json.loads((tmp_path / "out").read_text("utf-8")))


def test_junit_is_valid(changed: Report, tmp_path: Path) -> None:
    """Nor has that of Jenkins's xUnit plugin."""
    render.render("junit", changed, tmp_path / "out")
    assert [] == junit_errors((tmp_path / "out").read_text("utf-8"))


def test_the_schemas_refuse_what_is_wrong(report: Report, tmp_path: Path) -> None:
    """An unknown level, a result without its message, an unknown attribute and a missing count are told."""
    render.render("sarif", report, tmp_path / "sarif")
    log = json.loads((tmp_path / "sarif").read_text("utf-8"))
    results = log["runs"][0]["results"]
    results[0]["level"] = "fatal"
    del results[1]["message"]
    assert ["$.runs[0].results[0].level", "$.runs[0].results[1]"] == [e.partition(": ")[0] for e in sarif_errors(log)]
    render.render("junit", report, tmp_path / "junit")
    text = (tmp_path / "junit").read_text("utf-8")
    assert 1 == len(junit_errors(text.replace("<testcase ", '<testcase line="1" ', 1)))
    assert 1 == len(junit_errors(text.replace(' failures="2"', "", 1)))
