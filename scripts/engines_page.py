"""Writes docs/engines.md from reports of `tokparity run`: what each engine from a wheel does otherwise than the oracle.

tokparity run --engine kitoken --engine tokie ... --out DIR
python scripts/engines_page.py DIR/report.jsonl ... > docs/engines.md
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from tokparity.engines.environment.released import WHEELS
from tokparity.finding import Finding
from tokparity.report.file import read
from tokparity.report.model import Pair, Report
from tokparity.report.render.markup import cell, code

HEAD = """# Engines from wheels

Each runs in an environment of its own, which is made when the engine is named (`--engine kitoken`, or another version:
`--engine kitoken@0.10.1`); nothing is installed unasked. What an engine cannot be asked is unsupported, and counts
nowhere: one that always recognises special tokens is asked only for texts that spell none. What it refuses to open is
said in its own words.

This page is written by `scripts/engines_page.py` from the report of a run, never by hand. A model is equal where no
case differed. A cause is *verified* where it was attacked with texts made for it, as in every report; where there is
none, it says what the first difference looks like.
"""


def main(paths: Sequence[str]) -> None:
    """Print the page."""
    reports = [read(Path(path)) for path in paths]
    print(HEAD)
    for engine in WHEELS:
        for line in section(engine, reports):
            print(line)


def section(engine: str, reports: Sequence[Report]) -> Iterator[str]:
    """What the reports say of one engine."""
    pairs = [pair for report in reports for pair in report.pairs if pair.engine == engine]
    if not pairs:
        return
    yield f"## {engine}: {cell(next((pair.version for pair in pairs if pair.version), 'not opened'))}\n"
    run = [pair for pair in pairs if not pair.unavailable]
    equal = [pair.model for pair in run if pair.compared and not pair.differs]
    yield f"Equal: {', '.join(equal) or 'none'}.\n"
    for pair in pairs:
        if pair.unavailable:
            yield f"- {pair.model}: unavailable: {cell(pair.unavailable[:300])}"
    findings = [finding for report in reports for finding in report.findings if finding.engine == engine]
    if findings:
        yield "| model | cause | status | cases | shortest text |"
        yield "|---|---|---|---|---|"
        yield from (row(finding, run) for finding in findings)
    yield ""


def row(finding: Finding, pairs: Sequence[Pair]) -> str:
    """One finding: of how many cases, and the shortest text."""
    compared = next((pair.compared for pair in pairs if pair.model == finding.model), 0)
    cause = " + ".join(finding.quirks) or f"not explained: {finding.smallest.kind}"
    text = code(finding.smallest.case.question.literal[:80])
    return f"| {finding.model} | {cell(cause)} | {finding.status} | {finding.mismatches} of {compared} | `{text}` |"


if __name__ == "__main__":
    main(sys.argv[1:])
