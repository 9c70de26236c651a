"""Cases, outcomes, mismatches and findings as JSON objects, and back."""

from __future__ import annotations

from typing import Any

from tokparity import questions
from tokparity.case import AnyCase, Case, Origin
from tokparity.difference import Difference
from tokparity.finding import Control, Finding, Mismatch, RuledOut
from tokparity.outcome import Decoding, Encoding, Failure, Outcome
from tokparity.questions.json_text import from_json, to_json

Json = dict[str, Any]


def case_to_json(case: AnyCase) -> Json:
    """One case as a JSON object."""
    return {**questions.to_json(case.question), "origin": str(case.origin)}


def case_from_json(value: Json) -> AnyCase:
    """The case that `case_to_json` wrote."""
    return Case(questions.from_json(value), Origin.parse(value["origin"]))


def outcome_to_json(outcome: Outcome) -> Json:
    """{"ids", "decoded"}, {"decoded"} or {"failure", "message", "signal"}."""
    if isinstance(outcome, Failure):
        return {"failure": outcome.kind, "message": outcome.message, "signal": outcome.signal}
    decoded = None if outcome.decoded is None else to_json(outcome.decoded)
    return {"decoded": decoded} if isinstance(outcome, Decoding) else {"ids": list(outcome.ids), "decoded": decoded}


def outcome_from_json(value: Json) -> Outcome:
    """The outcome that `outcome_to_json` wrote."""
    if "failure" in value:
        return Failure(value["failure"], value["message"], value["signal"])
    if "ids" not in value:
        return Decoding(from_json(value["decoded"]))
    return Encoding(tuple(value["ids"]), None if value["decoded"] is None else from_json(value["decoded"]))


def mismatch_to_json(mismatch: Mismatch) -> Json:
    """One mismatch as a JSON object."""
    return {
        "model": mismatch.model,
        "engine": mismatch.engine,
        "oracle": mismatch.oracle,
        "case": case_to_json(mismatch.case),
        "first_difference": str(mismatch.difference),
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
        difference=Difference.parse(value["first_difference"]),
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
        "known": finding.known,
        "accepted": finding.accepted,
        "reason": finding.reason,
        "why_unexplained": finding.why_unexplained,
        "verified": finding.verified,
        "ruled_out": [ruled_out_to_json(ruled_out) for ruled_out in finding.ruled_out],
        "separating": None if finding.separating is None else questions.to_json(finding.separating),
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
        known=value.get("known", ""),
        accepted=value["accepted"],
        reason=value["reason"],
        why_unexplained=value.get("why_unexplained", ""),
        verified=value.get("verified", 0),
        ruled_out=tuple(ruled_out_from_json(entry) for entry in value.get("ruled_out", ())),
        separating=None if value.get("separating") is None else questions.from_json(value["separating"]),
        context=tuple((key, text) for key, text in value.get("context", ())),
    )


def ruled_out_to_json(ruled_out: RuledOut) -> Json:
    """One refuted explanation as a JSON object."""
    return {
        "quirks": list(ruled_out.quirks),
        "explains": ruled_out.explains,
        "tried": ruled_out.tried,
        "question": questions.to_json(ruled_out.question),
    }


def ruled_out_from_json(value: Json) -> RuledOut:
    """The explanation that `ruled_out_to_json` wrote."""
    return RuledOut(tuple(value["quirks"]), value["explains"], value["tried"], questions.from_json(value["question"]))


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
    if isinstance(outcome, Failure):
        raise ValueError(f"a control must hold an answer, not {value['outcome']!r}")
    return Control(case_from_json(value["case"]), value["model"], value["engine"], outcome)
