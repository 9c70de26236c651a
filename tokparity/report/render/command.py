"""The command that shows a mismatch again."""

from __future__ import annotations

import shlex

from tokparity.finding import Mismatch
from tokparity.questions.shell import command_line
from tokparity.report.model import Report

_LONGEST = 2000  # bytes of text that are still worth pasting into a shell


def reproduce(report: Report, mismatch: Mismatch) -> str:
    """A command that puts the case to the same engine and to the model's oracle, and shows what both give."""
    if mismatch.engine in report.header.recordings:
        return diagnosing(report, mismatch.model, mismatch.engine)
    question, origin = mismatch.case.question, mismatch.case.origin
    model = command_line(report.header.arguments.get(mismatch.model, (mismatch.model,)))
    engine = shlex.quote(mismatch.engine)
    if question.size <= _LONGEST:
        return question.command(model, engine)
    if origin.source == "corpus" and not origin.shrunk:
        return f"tokparity run {model} --engine {engine} --corpus {shlex.quote(origin.corpus)} --cases 0"
    return f"tokparity run {model} --engine {engine} --seed {report.header.seed}"


def diagnosing(report: Report, model: str, engine: str) -> str:
    """A command that looks at the recording of an engine anew: the engine itself cannot be asked."""
    words = report.header.arguments.get(model, (model,))
    return command_line(["tokparity", "diagnose", report.header.recordings[engine], *words])
