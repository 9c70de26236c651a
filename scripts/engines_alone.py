"""Runs the smallest text of each finding that has a cause with nothing but the engine's library, and says what it gave.

tokparity run --engine kitoken --engine tokie ... --out DIR
python scripts/engines_alone.py DIR/report.jsonl ... > alone.jsonl

Each line is one finding: whether the script of `tokparity report --format issue`, in the environment of the engine,
gives what the report says ("same"; "same inside" where tokparity adds ids at the ends), another thing, or is not there.
xllamacpp has no function for a vocabulary alone; llama-cpp-python, which is the same library of another date, is run.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from ast import literal_eval
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from tokparity.engines.environment.build import environment
from tokparity.engines.environment.released import RELEASED, WHEELS
from tokparity.finding import Finding
from tokparity.models import load
from tokparity.outcome import Encoding, Failure, Outcome
from tokparity.report.file import read
from tokparity.report.model import Report
from tokparity.report.render.reproduction import file_name, library_of, script
from tokparity.session.seats import seat_one

_SECONDS = 120
_SAME_LIBRARY = {"xllamacpp": "llama.cpp"}


def main(paths: Sequence[str]) -> None:
    """A line for each finding with a cause."""
    for path in paths:
        for line in shown(read(Path(path))):
            print(json.dumps(line), flush=True)


def shown(report: Report) -> Iterator[dict[str, object]]:
    """What the library alone gives for each of a report's causes."""
    for finding in report.findings:
        if finding.quirks and finding.engine in RELEASED:
            named = {"engine": finding.engine, "model": finding.model, "quirks": list(finding.quirks)}
            yield {**named, "alone": _alone(finding)}


def _alone(finding: Finding) -> str:
    """In a word or two, or as the error that it ended with."""
    engine = _SAME_LIBRARY.get(finding.engine, finding.engine)
    seat = seat_one(load(finding.model), engine)
    lines, library = script(replace(finding.smallest, engine=engine), seat.source), library_of(engine)
    if lines is None or library is None:
        return "no script"
    if finding.smallest.after:
        return "other texts must come before it"
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / file_name(library, seat.source)).symlink_to(seat.path)
        python = environment(engine, WHEELS[engine].version).python if engine in WHEELS else sys.executable
        command = [str(python), "-I", "-c", "\n".join(lines)]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=_SECONDS, check=False)
    said = [line for line in done.stdout.splitlines() if line.startswith("actual   ")]
    if not said:
        failed = isinstance(finding.smallest.actual, Failure)
        return "same" if failed else f"error: {(done.stderr.splitlines() or ['nothing was printed'])[-1]}"
    return _compared(literal_eval(said[0].removeprefix("actual   ")), finding)


def _compared(given: object, finding: Finding) -> str:
    """What the library gave beside what the report says that the engine gave."""
    if finding.smallest.difference.is_of_decoding:
        text = given.encode("utf-8", "surrogateescape") if isinstance(given, str) else given
        return "same" if text == _decoded(finding.smallest.actual) else f"another text: {given!a}"
    actual = finding.smallest.actual
    ids = list(actual.ids) if isinstance(actual, Encoding) else []
    if given == ids:
        return "same"
    size = len(given) if isinstance(given, list) else 0
    inside = any(ids[start : start + size] == given for start in range(len(ids) - size + 1))
    return "same inside" if inside and len(ids) - size <= 2 else f"other ids: {given!a}"


def _decoded(outcome: Outcome) -> bytes | None:
    return None if isinstance(outcome, Failure) else outcome.decoded


if __name__ == "__main__":
    main(sys.argv[1:])
