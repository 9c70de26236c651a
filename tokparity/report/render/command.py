"""The command that shows a mismatch again."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator

from tokparity.finding import Mismatch
from tokparity.questions import to_json
from tokparity.questions.shell import command_line, python_of
from tokparity.report.model import Report

_LONGEST = 2000  # bytes of text that are still worth pasting into a shell


def reproduce(report: Report, mismatch: Mismatch) -> str:
    """A command that runs the case on the same engine and on the oracle, and shows both answers."""
    if mismatch.engine in report.header.recordings:
        return diagnosing(report, mismatch.model, mismatch.engine)
    question, origin = mismatch.case.question, mismatch.case.origin
    model = command_line(report.header.arguments.get(mismatch.model, (mismatch.model,)))
    engine = " ".join([shlex.quote(mismatch.engine), *_after(mismatch)])
    if question.size <= _LONGEST or python_of(question.shown):
        return question.command(model, engine)
    if origin.source == "corpus" and not origin.shrunk:
        return f"tokparity run {model} --engine {engine} --corpus {shlex.quote(origin.corpus)} --cases 0"
    return command_line(report.header.command)  # too long for a shell: what made it makes it again


def _after(mismatch: Mismatch) -> Iterator[str]:
    """Options of `diff` for what the engine must have been asked before, or in the same request."""
    for option, questions in (("--after", mismatch.after), ("--beside", mismatch.beside)):
        for question in questions:
            yield f"{option} {shlex.quote(json.dumps(to_json(question)))}"


def diagnosing(report: Report, model: str, engine: str) -> str:
    """A command that looks at the recording of an engine anew: the engine itself cannot be asked."""
    words = report.header.arguments.get(model, (model,))
    return command_line(["tokparity", "diagnose", report.header.recordings[engine], *words])
