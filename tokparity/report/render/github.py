"""Lines that GitHub Actions shows beside the files of a pull request.

Source: GitHub Docs, "Workflow commands for GitHub Actions": `::error file=...,line=...,title=...::message`.
"""

from __future__ import annotations

from collections.abc import Iterator

from tokparity.questions.json_text import plain
from tokparity.report.model import Report
from tokparity.report.render.remarks import Remark, new
from tokparity.report.verdict import verdict


def annotation_lines(report: Report) -> Iterator[str]:
    """One line for each thing that makes a check fail, what is wrong in files first; one where nobody can judge."""
    for remark in new(report):
        yield _line(_place(report, remark), remark.title, "\n".join(plain(line) for line in remark.lines))
    found = verdict(report)
    if found.result == "none":
        yield _line({}, "tokparity", found.sentence)


def _place(report: Report, remark: Remark) -> dict[str, str]:
    if remark.model not in report.header.places:
        return {}
    file, line = report.header.places[remark.model]
    return {"file": file, "line": str(line)}


def _line(place: dict[str, str], title: str, message: str) -> str:
    properties = ",".join(f"{key}={_property(plain(value))}" for key, value in {**place, "title": title}.items())
    return f"::error {properties}::{_data(message)}"


def _data(text: str) -> str:
    """What may not stand in a message: it would end the line, or begin an escape."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    """In a property also what ends a property."""
    return _data(text).replace(":", "%3A").replace(",", "%2C")
