"""Of causes that did equally well, the one that new texts speak for is named."""

from __future__ import annotations

from pathlib import Path

from tokparity.cli import main
from tokparity.report.file import read

BY_UNICODE_14 = ("finds_punctuation_of_unicode_14", "normalises_by_unicode_15", "strips_marks_of_unicode_14")


def test_tables_of_one_version_are_told_from_those_of_another(tmp_path: Path) -> None:
    """The first mismatches fit two tables of marks; texts that attack the one show that it is the other."""
    engine = "reference+" + "+".join(BY_UNICODE_14)
    assert 1 == main(["check", "small-wordpiece", "--quick", "--engine", engine, "--out", str(tmp_path)])
    findings = read(tmp_path / "report.jsonl").findings
    assert {(name, "verified") for name in BY_UNICODE_14} == {
        (name, one.status) for one in findings for name in one.quirks
    }
    marks = next(one for one in findings if "strips_marks_of_unicode_14" in one.quirks)
    assert () == marks.alternatives
