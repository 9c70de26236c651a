"""Cases, outcomes, mismatches and findings as JSON objects, and back."""

from __future__ import annotations

from typing import Any

from tokparity.finding import Control, Finding, Mismatch, RuledOut
from tokparity.outcome import Case, Encoding, Failure, Outcome
from tokparity.questions.json_text import from_json, to_json

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
        "verified": finding.verified,
        "ruled_out": [ruled_out_to_json(ruled_out) for ruled_out in finding.ruled_out],
        "separating": None if finding.separating is None else to_json(finding.separating),
        "context": [list(entry) for entry in finding.context],
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
        verified=value.get("verified", 0),
        ruled_out=tuple(ruled_out_from_json(entry) for entry in value.get("ruled_out", ())),
        separating=None if value.get("separating") is None else from_json(value["separating"]),
        context=tuple((key, text) for key, text in value.get("context", ())),
    )


def ruled_out_to_json(ruled_out: RuledOut) -> Json:
    """One refuted explanation as a JSON object."""
    return {
        "quirks": list(ruled_out.quirks),
        "explains": ruled_out.explains,
        "tried": ruled_out.tried,
        "text": to_json(ruled_out.text),
    }


def ruled_out_from_json(value: Json) -> RuledOut:
    """The explanation that `ruled_out_to_json` wrote."""
    return RuledOut(tuple(value["quirks"]), value["explains"], value["tried"], from_json(value["text"]))


def control_to_json(control: Control) -> Json:
    """One control as a JSON object."""
    return {
        "model": control.model,
        "engine": control.engine,
        "case": case_to_json(control.case),
        "outcome": outcome_to_json(control.outcome),
    }


def control_from_json(value: Json) -> Control:
    """The control that `control_to_json` wrote."""
    outcome = outcome_from_json(value["outcome"])
    if not isinstance(outcome, Encoding):
        raise ValueError(f"a control must hold ids, not {value['outcome']!r}")
    return Control(case_from_json(value["case"]), value["model"], value["engine"], outcome)
