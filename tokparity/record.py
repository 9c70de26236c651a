"""Cases, outcomes, mismatches and findings as JSON objects, and back."""

from __future__ import annotations

from typing import Any

from tokparity.finding import Finding, Mismatch
from tokparity.json_text import from_json, to_json
from tokparity.outcome import Case, Encoding, Failure, Outcome

Json = dict[str, Any]


def case_to_json(case: Case) -> Json:
    """One case as a JSON object."""
    return {
        "text": to_json(case.text),
        "add_special": case.add_special,
        "parse_special": case.parse_special,
        "origin": case.origin,
    }


def case_from_json(value: Json) -> Case:
    """The case that `case_to_json` wrote."""
    return Case(from_json(value["text"]), value["add_special"], value["parse_special"], value["origin"])


def outcome_to_json(outcome: Outcome) -> Json:
    """{"ids", "decoded"} or {"failure", "message", "signal"}."""
    if isinstance(outcome, Failure):
        return {"failure": outcome.kind, "message": outcome.message, "signal": outcome.signal}
    decoded = None if outcome.decoded is None else to_json(outcome.decoded)
    return {"ids": list(outcome.ids), "decoded": decoded}


def outcome_from_json(value: Json) -> Outcome:
    """The outcome that `outcome_to_json` wrote."""
    if "failure" in value:
        return Failure(value["failure"], value["message"], value["signal"])
    return Encoding(tuple(value["ids"]), None if value["decoded"] is None else from_json(value["decoded"]))


def mismatch_to_json(mismatch: Mismatch) -> Json:
    """One mismatch as a JSON object."""
    return {
        "model": mismatch.model,
        "engine": mismatch.engine,
        "oracle": mismatch.oracle,
        "case": case_to_json(mismatch.case),
        "first_difference": mismatch.first_difference,
        "expected": outcome_to_json(mismatch.expected),
        "actual": outcome_to_json(mismatch.actual),
        "expected_pieces": [to_json(piece) for piece in mismatch.expected_pieces],
        "actual_pieces": [to_json(piece) for piece in mismatch.actual_pieces],
    }


def mismatch_from_json(value: Json) -> Mismatch:
    """The mismatch that `mismatch_to_json` wrote."""
    return Mismatch(
        case=case_from_json(value["case"]),
        model=value["model"],
        engine=value["engine"],
        oracle=value["oracle"],
        expected=outcome_from_json(value["expected"]),
        actual=outcome_from_json(value["actual"]),
        first_difference=value["first_difference"],
        expected_pieces=tuple(from_json(piece) for piece in value["expected_pieces"]),
        actual_pieces=tuple(from_json(piece) for piece in value["actual_pieces"]),
    )


def finding_to_json(finding: Finding) -> Json:
    """One finding as a JSON object."""
    return {
        "finding": finding.name,
        "model": finding.model,
        "engine": finding.engine,
        "oracle": finding.oracle,
        "status": finding.status,
        "mismatches": finding.mismatches,
        "controls": finding.controls,
        "quirks": list(finding.quirks),
        "alternatives": [list(quirks) for quirks in finding.alternatives],
        "nearest": finding.nearest,
        "accepted": finding.accepted,
        "reason": finding.reason,
        "smallest": mismatch_to_json(finding.smallest),
    }


def finding_from_json(value: Json) -> Finding:
    """The finding that `finding_to_json` wrote."""
    return Finding(
        name=value["finding"],
        model=value["model"],
        engine=value["engine"],
        oracle=value["oracle"],
        status=value["status"],
        smallest=mismatch_from_json(value["smallest"]),
        mismatches=value["mismatches"],
        controls=value["controls"],
        quirks=tuple(value["quirks"]),
        alternatives=tuple(tuple(quirks) for quirks in value["alternatives"]),
        nearest=value["nearest"],
        accepted=value["accepted"],
        reason=value["reason"],
    )
