"""SARIF 2.1.0 for code scanning: one result per finding, one rule per kind of finding.

Source: OASIS, Static Analysis Results Interchange Format (SARIF) Version 2.1.0.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import quote

from tokparity.finding import Finding
from tokparity.questions.shell import command_line
from tokparity.report.keys import finding_keys
from tokparity.report.model import Report
from tokparity.report.render.command import reproduce
from tokparity.report.render.visible import spelled

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
        "results": [
            _result(report, finding, key, rules)
            for finding, key in zip(report.findings, finding_keys(report.findings), strict=True)
        ],
        "columnKind": "unicodeCodePoints",
    }
    log = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}
    path.write_text(json.dumps(log, indent=2) + "\n", encoding="utf-8")


def _rule(finding: Finding) -> str:
    return "+".join(finding.quirks) or finding.status


def _result(report: Report, finding: Finding, key: str, rules: list[str]) -> dict[str, Any]:
    message = (
        f"{finding.engine} disagrees with {finding.oracle} on {finding.model} in {finding.mismatches} cases "
        f"({finding.status}). Smallest text: {spelled(finding.smallest.case.question, _TEXT_BYTES)}. "
        f"Run: {reproduce(report, finding.smallest)}"
    )
    result: dict[str, Any] = {
        "ruleId": _rule(finding),
        "ruleIndex": rules.index(_rule(finding)),
        "level": "error" if finding.is_new else "note",
        "message": {"text": message},
        "locations": [_location(finding)],
        "partialFingerprints": {"tokparityFinding/v1": f"{finding.model}/{finding.name}", "tokparityFinding/v2": key},
        "properties": {"mismatches": finding.mismatches, "controls": finding.controls, "quirks": list(finding.quirks)},
    }
    if not finding.is_new:
        result["suppressions"] = [{"kind": "external", "justification": finding.known or finding.reason}]
    return result


def _location(finding: Finding) -> dict[str, Any]:
    """The model before the engine; and the line of the corpus, because code scanning wants a file."""
    origin = finding.smallest.case.origin
    known = origin.source == "corpus" and not origin.shrunk
    physical = {
        "artifactLocation": {"uri": quote(origin.name if known else finding.model)},
        "region": {"startLine": max(origin.number, 1) if known else 1},
    }
    logical = {"fullyQualifiedName": f"{finding.model}/{finding.engine}", "kind": "module"}
    return {"physicalLocation": physical, "logicalLocations": [logical]}
