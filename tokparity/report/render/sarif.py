"""SARIF 2.1.0 for code scanning: one result per finding, one rule per kind of finding.

Source: OASIS, Static Analysis Results Interchange Format (SARIF) Version 2.1.0.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import quote

from tokparity.finding import Finding
from tokparity.questions.json_text import literal
from tokparity.report.model import Report
from tokparity.report.render.command import command_line, reproduce
from tokparity.report.render.visible import clip

NAME = "sarif"
FILES = ("tokparity.sarif",)
_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_TEXT_BYTES = 400


def render(report: Report, path: Path) -> None:
    """Write one SARIF log with one run."""
    rules = sorted({_rule(finding) for finding in report.findings})
    command = command_line(report.header.command)
    run = {
        "tool": {
            "driver": {
                "name": "tokparity",
                "version": report.header.tokparity,
                "rules": [{"id": rule, "shortDescription": {"text": rule}} for rule in rules],
            }
        },
        "invocations": [{"commandLine": command, "executionSuccessful": not report.truncated}],
        "results": [_result(report, finding, rules) for finding in report.findings],
        "columnKind": "unicodeCodePoints",
    }
    log = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}
    path.write_text(json.dumps(log, indent=2) + "\n", encoding="utf-8")


def _rule(finding: Finding) -> str:
    return "+".join(finding.quirks) or finding.status


def _result(report: Report, finding: Finding, rules: list[str]) -> dict[str, Any]:
    shown, hidden = clip(finding.smallest.case.text, _TEXT_BYTES)
    message = (
        f"{finding.engine} disagrees with {finding.oracle} on {finding.model} in {finding.mismatches} cases "
        f"({finding.status}). Smallest text: {literal(shown)}{f' ... {hidden} more bytes' if hidden else ''}. "
        f"Run: {reproduce(report, finding.smallest)}"
    )
    result: dict[str, Any] = {
        "ruleId": _rule(finding),
        "ruleIndex": rules.index(_rule(finding)),
        "level": "note" if finding.accepted else "error",
        "message": {"text": message},
        "locations": [_location(finding)],
        "partialFingerprints": {"tokparityFinding/v1": f"{finding.model}/{finding.name}"},
        "properties": {"mismatches": finding.mismatches, "controls": finding.controls, "quirks": list(finding.quirks)},
    }
    if finding.accepted:
        result["suppressions"] = [{"kind": "external", "justification": finding.reason}]
    return result


def _location(finding: Finding) -> dict[str, Any]:
    """The model before the engine; and the line of the corpus, because code scanning wants a file."""
    corpus, _, line = finding.smallest.case.origin.rpartition(":")
    known = corpus and line.isdigit() and ":" not in corpus
    physical = {
        "artifactLocation": {"uri": quote(corpus if known else finding.model)},
        "region": {"startLine": max(int(line), 1) if known else 1},
    }
    logical = {"fullyQualifiedName": f"{finding.model}/{finding.engine}", "kind": "module"}
    return {"physicalLocation": physical, "logicalLocations": [logical]}
