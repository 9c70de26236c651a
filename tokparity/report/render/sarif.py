"""SARIF 2.1.0 for code scanning: one result per finding, wrong key and vanished finding, one rule per kind of them.

Source: OASIS, Static Analysis Results Interchange Format (SARIF) Version 2.1.0.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from tokparity import quirks
from tokparity.questions.json_text import as_bytes, plain
from tokparity.questions.shell import command_line
from tokparity.quirk import SOURCE_DIFFERS, Quirk
from tokparity.report.keys import finding_keys
from tokparity.report.model import Report
from tokparity.report.render.remarks import NOT_RUN, VANISHED, WRONG_KEY, Remark, one_line, refused, remarks
from tokparity.report.verdict import verdict

NAME = "sarif"
FILES = ("tokparity.sarif",)
_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_OWN_RULES = {
    WRONG_KEY: (
        "A key of the GGUF does not say what the model's own tokenizer says",
        "Every engine that reads the file gives other ids than the model was trained with. `tokparity doctor` writes "
        "the file with the key changed.",
    ),
    VANISHED: (
        "An accepted finding no longer occurs",
        "What was accepted is gone, or the texts that showed it were not put. `tokparity check --update` takes it "
        "out of the list.",
    ),
    NOT_RUN: (
        "Nothing was compared",
        "A file, the list of models or the command is wrong, so nothing is known of the model. The result says what to "
        "do.",
    ),
    SOURCE_DIFFERS: (
        "The file that the engine opened does not say what the file of the oracle says",
        "The engine obeys its own file. `tokparity lint` lists where the two differ.",
    ),
    "unexplained": (
        "An engine gives other ids, and no known quirk explains it",
        "The result has the smallest text and the command that runs it on the engine.",
    ),
}


def render(report: Report, path: Path) -> None:
    """Write one SARIF log with one run."""
    every = [*remarks(report), *refused(report)]
    rules = sorted({remark.rule for remark in every})
    keys = {id(finding): key for finding, key in zip(report.findings, finding_keys(report.findings), strict=True)}
    found = verdict(report)
    invocation: dict[str, Any] = {
        "commandLine": command_line(report.header.command),
        # What a run has not come to is not gone: nobody is to close it.
        "executionSuccessful": not (report.is_cut or report.lost or found.result == "none"),
    }
    if found.result == "none":
        invocation["toolExecutionNotifications"] = [{"level": "error", "message": {"text": found.sentence}}]
    driver = {"name": "tokparity", "version": report.header.tokparity, "rules": [_rule(rule) for rule in rules]}
    run = {
        "tool": {"driver": driver},
        "invocations": [invocation],
        "results": [_result(report, remark, rules, keys) for remark in every],
        "columnKind": "unicodeCodePoints",
    }
    log = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}
    path.write_text(json.dumps(log, indent=2) + "\n", encoding="utf-8")


def _rule(name: str) -> dict[str, Any]:
    known = [quirks.get(part) for part in name.split("+") if part in quirks.names()]
    own = [part for part in name.split("+") if part not in quirks.names()]
    if not known:
        title, help = _OWN_RULES.get(name, (name, "The result says which texts show it."))
        return {"id": name, "shortDescription": {"text": title}, "help": {"text": help}}
    titles = [*(_OWN_RULES.get(part, (part,))[0] for part in own), *(quirk.title for quirk in known)]
    rule: dict[str, Any] = {
        "id": name,
        "shortDescription": {"text": "; ".join(titles)},
        "fullDescription": {"text": " ".join(quirk.symptom for quirk in known)},
        "help": {"text": "\n\n".join(_help(quirk, "{}") for quirk in known),
                 "markdown": "\n\n".join(_help(quirk, "**{}**") for quirk in known)},
    }  # fmt: skip
    links = [link for quirk in known for link in quirk.links]
    return {**rule, "helpUri": links[0]} if links else rule


def _help(quirk: Quirk, label: str) -> str:
    """Symptom, cause and fix of one quirk."""
    parts = (("Symptom", quirk.symptom), ("Cause", quirk.cause), ("Fix", quirk.fix))
    return "\n\n".join(f"{label.format(name)}: {text}" for name, text in parts)


def _result(report: Report, remark: Remark, rules: Sequence[str], keys: Mapping[int, str]) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": remark.rule,
        "ruleIndex": rules.index(remark.rule),
        "level": "note" if remark.reason else "warning" if remark.is_open else "error",
        "message": {"text": _message(remark)},
        "locations": [_location(report, remark)],
        "partialFingerprints": {"tokparityFinding/v1": plain(remark.fingerprint)},
    }
    if remark.finding is not None:
        found = remark.finding
        result["partialFingerprints"]["tokparityFinding/v2"] = keys[id(found)]
        result["properties"] = {
            "mismatches": found.mismatches,
            "unexamined": found.unexamined,
            "controls": found.controls,
            "quirks": list(found.quirks),
        }
    if remark.reason:
        result["suppressions"] = [{"kind": "external", "justification": remark.reason}]
    return result


def _message(remark: Remark) -> str:
    """Who disagrees with whom, then all that there is to say."""
    if remark.finding is None:
        return one_line(remark)
    found = remark.finding
    about = f"{found.engine} disagrees with {found.oracle} on {found.model} in {found.cases}"
    return f"{about} ({found.status}). {one_line(remark)}"


def _location(report: Report, remark: Remark) -> dict[str, Any]:
    """The model's entry in the user's own list, or its file; for a known model the corpus that shows it."""
    logical = {"fullyQualifiedName": "/".join(filter(None, (remark.model, remark.engine))), "kind": "module"}
    uri, line = place(report, remark)
    physical = {"artifactLocation": {"uri": uri}, "region": {"startLine": line}}
    return {"physicalLocation": physical, "logicalLocations": [logical]}


def place(report: Report, remark: Remark) -> tuple[str, int]:
    """The URI of the file, and the line, that a remark belongs to."""
    if remark.model in report.header.places:
        file, line = report.header.places[remark.model]
        return ("file://" if Path(file).is_absolute() else "") + quote(as_bytes(file)), line
    origin = None if remark.finding is None else remark.finding.smallest.case.origin
    if origin is None or origin.source != "corpus" or origin.shrunk:
        return quote(as_bytes(remark.model)), 1
    return quote(as_bytes(origin.name)), max(origin.number, 1)
