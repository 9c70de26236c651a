"""The remarks of a report (findings, wrong keys, vanished findings), for JUnit, SARIF and annotations."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePath

from tokparity.finding import Finding
from tokparity.questions.json_text import plain
from tokparity.report.model import FileFault, Report, Vanished
from tokparity.report.render.causes import alternatives, parts, told
from tokparity.report.render.causes import title as title_of
from tokparity.report.render.command import reproduce
from tokparity.report.render.proof import fix, proof
from tokparity.report.render.visible import spelled

WRONG_KEY = "wrong-key"
VANISHED = "vanished"
NOT_RUN = "not-run"
_TEXT_BYTES = 400


@dataclass(frozen=True)
class Remark:
    """One thing that is wrong, or that is known and stays (`reason` says why, and is empty for what is new).

    `rule` is its kind. `engine` is empty if the remark is about a file. `details` are lines that name the cause, the
    fix, the smallest text and the command. `finding` is the finding, if the remark is about one.
    """

    rule: str
    model: str
    engine: str
    title: str
    details: tuple[tuple[str, str], ...]
    reason: str = ""
    finding: Finding | None = None

    @property
    def is_open(self) -> bool:
        """Whether nobody can say if it is new, for a signal came before its cause was looked for."""
        return self.finding is not None and self.finding.is_open

    @property
    def is_new(self) -> bool:
        """Whether it makes a check fail."""
        return not self.reason and not self.is_open

    @property
    def lines(self) -> list[str]:
        """The details as lines."""
        return [f"{name}: {text}" for name, text in self.details]

    @property
    def fingerprint(self) -> str:
        """A string that identifies the same remark in another run."""
        return f"{self.model}/{self.finding.name if self.finding else f'{self.rule}/{self.engine}/{self.title}'}"


def remarks(report: Report) -> list[Remark]:
    """All of a report's, what is wrong in files first."""
    return [
        *(_of_fault(report, fault) for fault in report.faults if not fault.unsaid),  # the verdict says those
        *(_of_finding(report, finding) for finding in report.findings if not _is_told_by_faults(report, finding)),
        *(_of_vanished(vanished) for vanished in report.vanished),
    ]


def refused(report: Report) -> list[Remark]:
    """One for each model that could not be run, and for an error that came before any model."""
    return [Remark(NOT_RUN, lost.model, "", str(lost), ()) for lost in report.refused]


def new(report: Report) -> list[Remark]:
    """The remarks that make a check fail."""
    return [remark for remark in remarks(report) if remark.is_new]


def _of_finding(report: Report, finding: Finding) -> Remark:
    details = [
        ("finding", f"{finding.name} ({finding.standing}, {finding.cases})"),
        *_explained(finding),
        ("smallest text", spelled(finding.smallest.case.question, _TEXT_BYTES)),
        ("first difference", f"{finding.smallest.difference.words} (against {finding.oracle})"),
        ("command", reproduce(report, finding.smallest)),
    ]
    reason = (finding.known or finding.reason or "accepted") if finding.is_settled else ""
    reason = reason or ("" if finding.counts else "no fault of the file")
    title = f"{finding.engine} on {finding.model}: {title_of(finding)}"
    obeyed = {name for name, _ in finding.wrong_keys}
    own = [name for name in finding.quirks if name not in obeyed]
    rule = "+".join([WRONG_KEY, *own] if obeyed else own) or finding.status
    return Remark(rule, finding.model, finding.engine, title, tuple(details), reason, finding)


def _explained(finding: Finding) -> Iterator[tuple[str, str]]:
    known = parts(finding)
    for part in known:
        yield "cause", f"{part.quirk}: {part.cause}" if part.quirk else part.cause
    for key, value in finding.context:
        yield "file", f"{key}: {value}"
    yield from (("or", entry) for entry in alternatives(finding))
    for part in known:
        yield "fix", fix(finding, part.fix)
    yield from (("proof", sentence) for sentence in proof(finding))
    if not finding.quirks:
        why = finding.why_unexplained or finding.nearest or "no known quirk fits"
        yield "cause", finding.instead if finding.is_predicted else f"unexplained: {why}"
    yield from (("character", sentence) for sentence in told(finding))


def _is_told_by_faults(report: Report, finding: Finding) -> bool:
    """Whether a remark on each wrong key says all of a finding: one wrong key is one remark."""
    told = {fault.sentence for fault in report.faults if fault.model == finding.model}
    return finding.is_of_file and all(sentence in told for _, sentence in finding.wrong_keys)


def _of_fault(report: Report, fault: FileFault) -> Remark:
    fix = f"change {fault.key} in {fault.file} to what {fault.against} says"
    details = [("cause", fault.sentence), ("fix", fix if fault.repair else "convert the model again")]
    for finding in report.findings:
        if finding.model == fault.model and fault.sentence in (sentence for _, sentence in finding.wrong_keys):
            text = spelled(finding.smallest.case.question, _TEXT_BYTES)
            details.append(("shows", f"{finding.engine} differs in {finding.cases}, the smallest text {text}"))
    details += [("command", fault.repair)] if fault.repair else []
    title = f"{PurePath(fault.file).name}: {fault.sentence}"
    return Remark(WRONG_KEY, fault.model, "", title, tuple(details), fault.reason)


def _of_vanished(vanished: Vanished) -> Remark:
    about = f"{vanished.engine} on {vanished.model}" if vanished.engine else vanished.model
    details = (
        ("cause", f"it is accepted ({vanished.reason}) and did not occur"),
        ("fix", "if that is as it should be, take it out of the list"),
        ("command", f"tokparity check {shlex.quote(vanished.model)} --update"),
    )
    return Remark(VANISHED, vanished.model, vanished.engine, f"{about}: vanished: {vanished.what}", details)


def one_line(remark: Remark) -> str:
    """All of a remark on one line, with nothing that acts."""
    return plain("; ".join((remark.title, *remark.lines)))
