"""Keys that stay the same from run to run: of causes, findings and mismatches, for links, tables and code scanning."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Sequence

from tokparity.finding import Finding, Mismatch
from tokparity.questions import to_json

_DIGITS = 12  # 48 bits: among 100,000 mismatches two alike are met once in 50,000 reports


def pair_key(model: str, engine: str) -> str:
    """A key that is the same in every run of this model on this engine."""
    return _key(model, engine)


def cause_of(finding: Finding) -> str:
    """What a finding says is wrong: its quirks and wrong keys, or the first difference if nothing explains it."""
    named = "+".join((*finding.quirks, *(key for _, key in finding.wrong_keys)))
    depends = finding.unrepeatable if finding.unrepeatable != "unknown" else ""
    return named or depends or finding.smallest.kind


def cause_key(finding: Finding) -> str:
    """The same for all models on which one engine has this cause."""
    return _key("", finding.engine, cause_of(finding))


def finding_key(finding: Finding) -> str:
    """A key that is the same in every run that finds this cause in this engine on this model."""
    return _key(finding.model, finding.engine, cause_of(finding))


def finding_keys(findings: Sequence[Finding]) -> tuple[str, ...]:
    """The key of each finding; findings that nothing separates get "-2", "-3" in their order."""
    seen: Counter[str] = Counter()
    keys = []
    for finding in findings:
        key = finding_key(finding)
        seen[key] += 1
        keys.append(key if seen[key] == 1 else f"{key}-{seen[key]}")
    return tuple(keys)


def mismatch_key(mismatch: Mismatch) -> str:
    """A key that is the same in every run of this question on this engine and model."""
    return _key(mismatch.model, mismatch.engine, json.dumps(to_json(mismatch.case.question), sort_keys=True))


def _key(*parts: str) -> str:
    # As JSON, so that no two lists of parts are spelled alike; an engine's name may hold a lone surrogate.
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:_DIGITS]
