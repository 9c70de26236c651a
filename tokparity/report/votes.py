"""The votes on a finding in a sentence: which engines agree, and which one differs from all others."""

from __future__ import annotations

from tokparity.finding import Finding, Vote
from tokparity.outcome import Failure

_REFERENCE = "reference"


def told(finding: Finding) -> str:
    """The votes on the smallest text; empty where too few independent engines have answered.

    That an engine alone differs from its judges, and no other engine was asked, is what every finding says.
    """
    if not finding.votes:
        return ""
    first, *others = finding.votes
    alone = len(others) == 1 and first.voices > 1 and others[0].voices == 1
    if alone and {finding.oracle, _REFERENCE} >= {*first.engines} and (finding.engine,) == others[0].engines:
        return ""
    none = f"; {finding.engine} gives none" if isinstance(finding.smallest.actual, Failure) else ""
    if not others:
        return f"All that answer give one answer: {_counted(first)}{none}"
    if not alone:
        return f"The engines are divided: {'; '.join(map(_counted, finding.votes))}{none}"
    lone = ", ".join(others[0].engines)
    if len(others[0].engines) > 1:
        return (
            f"{lone}, which depend on each other, are alone with their answer; {_counted(first)} agree on another{none}"
        )
    return f"{lone} is alone with its answer; {_counted(first)} agree on another{none}"


def _counted(vote: Vote) -> str:
    dependent = vote.voices < len(vote.engines)
    return ", ".join(vote.engines) + (f" ({vote.voices} of them independent)" if dependent else "")
