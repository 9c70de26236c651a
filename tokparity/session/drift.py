"""What changed between two versions of an engine, by cause: the older version is the oracle, then who is right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tokparity import models
from tokparity.difference import difference_of
from tokparity.engines import engine_name
from tokparity.finding import Finding, Mismatch
from tokparity.outcome import NOT_ASKED, Answer, Failure, Outcome, Spanning, Streaming
from tokparity.questions import Again, Spans, Stream
from tokparity.report.changes import ChangedFinding, Fate, of_engines
from tokparity.session.asking import AskedEngine
from tokparity.session.evidence import Kept
from tokparity.session.explain import Enquiry, Explainer, known_quirks, read_by
from tokparity.session.judge import REFERENCE
from tokparity.session.panel import EnginePanel, ask
from tokparity.session.seats import seat_one

if TYPE_CHECKING:
    from tokparity.models import Model
    from tokparity.report.model import Report

_TIMEOUT = 60.0


@dataclass(frozen=True)
class _Part:
    """The mismatches of a finding that had the same fate."""

    change: ChangedFinding
    members: Sequence[Mismatch]


BY_LAW = (Stream, Spans, Again)
"""Questions of which the reference judges each version, whatever the other one answers."""


def changes(report: Report, model: Model, old: str, new: str) -> Iterator[ChangedFinding]:
    """Each finding of the newer engine compared with the `old` one, with its fate by the reference's answer.

    Where the older one was wrong the reference is not what it is, so nothing can explain the newer one from there.
    Then the older one is explained, with the newer one's answers as what is right.
    """
    found = [finding for finding in report.findings if finding.model == model.name]
    by_law = [finding for finding in found if isinstance(finding.smallest.case.question, BY_LAW)]
    if by_law:
        yield from _by_law(by_law, model, old, new)
    findings = [finding for finding in found if finding.oracle == old and finding not in by_law]
    if not findings:
        return
    seats = [seat_one(model, engine) for engine in dict.fromkeys((old, REFERENCE))]
    with EnginePanel(seats, _TIMEOUT) as panel:
        parts = [part for finding in findings for part in _parts(report, finding, panel)]
        turned = [part for part in parts if part.change.fate == "gone" and not part.change.finding.quirks]
        yield from (part.change for part in parts if part not in turned)
        if turned:
            yield from _explained(report, model, old, turned, panel)


def _by_law(findings: Sequence[Finding], model: Model, old: str, new: str) -> Iterator[ChangedFinding]:
    """What only one of the two does wrong; what the other one cannot be asked is no change."""
    with EnginePanel([seat_one(model, engine) for engine in (old, new)], _TIMEOUT) as panel:
        for finding in findings:
            is_old, wrong = finding.engine == old, finding.smallest.actual
            (other,) = ask(panel, new if is_old else old, [finding.smallest.case])
            if _given(other) == _given(wrong) or (isinstance(other, Failure) and other.kind in NOT_ASKED):
                continue
            yield (
                ChangedFinding("gone", finding, wrong, other)
                if is_old
                else ChangedFinding("new", finding, other, wrong)
            )


def _given(outcome: Outcome) -> object:
    """What the engine gave, without what was found of it."""
    if isinstance(outcome, Spanning):
        return outcome.ids, outcome.spans
    return outcome.deltas if isinstance(outcome, Streaming) else outcome


def _parts(report: Report, finding: Finding, panel: EnginePanel) -> Iterator[_Part]:
    """A finding, or, where nothing explains it, what of it had the same fate."""
    members = [report.mismatches[i] for i in report.members[finding.model, finding.name]]
    asked = [finding.smallest] if finding.quirks else [finding.smallest, *members]
    rights = ask(panel, REFERENCE, [mismatch.case for mismatch in asked])
    fates: dict[Fate, list[Mismatch]] = {}
    for mismatch, right in zip(asked, rights, strict=True):
        fates.setdefault(of_engines(replace(finding, smallest=mismatch), right).fate, []).append(mismatch)
    for fate, same in fates.items():
        smallest = min(same, key=lambda mismatch: mismatch.case.question.order)
        count = finding.mismatches if len(fates) == 1 else _own(same)
        part = replace(finding, smallest=smallest, mismatches=count)
        yield _Part(ChangedFinding(fate, part, smallest.expected, smallest.actual), members if finding.quirks else same)


def _own(members: Sequence[Mismatch]) -> int:
    """How many cases these are: what was shrunk is not a further one."""
    return len({member.case.question for member in members if not member.case.origin.shrunk})


def _explained(
    report: Report, model: Model, old: str, parts: Sequence[_Part], panel: EnginePanel
) -> Iterator[ChangedFinding]:
    """What the older engine did and the newer one does not do any more."""
    turned = [_turned(member, old) for part in parts for member in part.members]
    mismatches = list({mismatch.case.question: mismatch for mismatch in turned}.values())
    counts = Counter(mismatch.kind for mismatch in mismatches if not mismatch.case.origin.shrunk)
    for part in parts:
        counts[_turned(part.change.finding.smallest, old).kind] += part.change.finding.mismatches - _own(part.members)
    controls = [replace(control, engine=old) for control in report.controls if control.model == model.name]
    evidence = Kept(mismatches, list(range(len(mismatches))), +counts, controls=controls)
    sources = read_by(models.primary_source(model), model, seat_one(model, old).path)
    with AskedEngine(panel, old) as asking:
        able = None if engine_name.parse(old).is_replay else asking
        explained = Explainer().findings(Enquiry(evidence, sources, able, known_quirks(model, old)))
    for found in explained:
        smallest = found.finding.smallest
        yield ChangedFinding("gone", found.finding, smallest.actual, smallest.expected)


def _turned(mismatch: Mismatch, old: str) -> Mismatch:
    """The mismatch seen from the newer engine: it is right, and the older one departs from it."""
    expected, actual = mismatch.actual, mismatch.expected
    difference = mismatch.difference
    if isinstance(expected, Answer) and isinstance(actual, Answer):
        difference = difference_of(mismatch.case, expected, actual) or difference
    elif isinstance(actual, Failure):
        difference = replace(difference, aspect="failure", failure=actual.kind)
    pieces = mismatch.actual_pieces, mismatch.expected_pieces
    return Mismatch(mismatch.case, mismatch.model, old, mismatch.engine, expected, actual, difference, *pieces)
