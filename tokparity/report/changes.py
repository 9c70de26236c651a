"""What became of each finding from one report to another: new, gone, or changed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from tokparity.finding import Finding
from tokparity.outcome import Answer, Encoding, Outcome
from tokparity.report.keys import cause_of
from tokparity.report.model import Pair, Report

Fate = Literal["new", "gone", "changed"]

Line = tuple[str, str]
"""A model, and an engine without its version."""

_OUTSIDE = re.compile(r"[^@\[]*:")
_VERSION = re.compile(r"@[^+\[\]]+")


def family(engine: str) -> str:
    """The engine without its version; that of a user's own engine is in no name."""
    return engine if _OUTSIDE.match(engine) else _VERSION.sub("", engine, count=1)


@dataclass(frozen=True)
class ChangedFinding:
    """A finding and what became of it; `old` and `new` are the answers to its smallest text, if known."""

    fate: Fate
    finding: Finding
    old: Outcome | None = None
    new: Outcome | None = None


def is_asked(pair: Pair) -> bool:
    """Whether anything was compared, so that no finding means that nothing was wrong."""
    return not pair.unavailable and bool(pair.compared or pair.rows_put)


def lines_of(report: Report) -> Sequence[Line]:
    """The models before engines of which the report has answers, whatever version of an engine gave them."""
    asked = ((pair.model, family(pair.engine)) for pair in report.pairs if is_asked(pair) and not pair.is_oracle)
    return list(dict.fromkeys(asked))


def between_reports(old: Report, new: Report) -> Iterator[ChangedFinding]:
    """The findings of which only one report tells, and those that both tell otherwise.

    Only of lines that both asked. What a report that was cut short does not tell of need not be gone. What a report
    without a finding gave for the finding's text is not known.
    """
    both = {*lines_of(old)} & {*lines_of(new)}
    before, after = (
        {_key(finding): finding for finding in report.findings if _line(finding) in both} for report in (old, new)
    )
    for key, finding in after.items():
        if key not in before:
            yield ChangedFinding("new", finding, None, finding.smallest.actual)
        elif _differs(before[key], finding):
            yield ChangedFinding("changed", finding, before[key].smallest.actual, finding.smallest.actual)
    for key, finding in before.items():
        if key not in after and new.is_whole:
            yield ChangedFinding("gone", finding, finding.smallest.actual, None)


def of_engines(finding: Finding, right: Outcome | None) -> ChangedFinding:
    """What a finding of a newer engine before an older one means, by what is `right`.

    Where the older one was right it is new, where the newer one is it is gone, and else changed.
    """
    old, new = finding.smallest.expected, finding.smallest.actual
    fate: Fate = "new" if _same(old, right) else "gone" if _same(new, right) else "changed"
    return ChangedFinding(fate, finding, old, new)


def _line(finding: Finding) -> Line:
    return finding.model, family(finding.engine)


def _key(finding: Finding) -> tuple[Line, str]:
    """What makes it the same finding: the model, the engine without its version, the cause."""
    return _line(finding), cause_of(finding)


def _differs(one: Finding, other: Finding) -> bool:
    """Whether the same question is answered otherwise, or the cause is known with another certainty."""
    same_question = one.smallest.case.question == other.smallest.case.question
    return one.status != other.status or (same_question and not _same(one.smallest.actual, other.smallest.actual))


def _same(one: Outcome | None, other: Outcome | None) -> bool:
    """Whether two outcomes say the same; ids are compared where both have some."""
    if isinstance(one, Encoding) and isinstance(other, Encoding) and one.ids != other.ids:
        return False
    if isinstance(one, Answer) and isinstance(other, Answer):
        return type(one) is type(other) and (
            one.decoded is None or other.decoded is None or one.decoded == other.decoded
        )
    return one == other
