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
from tokparity.report.render.markup import cell

HEAD = """# Engines from wheels

Each runs in an environment of its own, which is made when the engine is named (`--engine kitoken`, or another version:
`--engine kitoken@0.10.1`); nothing is installed unasked. What an engine cannot be asked is unsupported, and counts
nowhere: one that always recognises special tokens is asked only for texts that spell none. What it refuses to open is
said in its own words.

This page is written by `scripts/engines_page.py` from the report of a run, never by hand. A model is equal where no
case differed. A cause is *verified* where it was attacked with texts made for it, as in every report; where there is
none, it says what the texts or the answers have in common, or else what the first difference looks like, and whether
there was time to look for a cause.
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
    last = {pair.model: (pair, report) for report in reports for pair in report.pairs if pair.engine == engine}
    if not last:
        return
    pairs = [pair for pair, _ in last.values()]
    yield f"## {engine}: {cell(next((pair.version for pair in pairs if pair.version), 'not opened'))}\n"
    equal = [pair.model for pair in pairs if pair.compared and not pair.differs]
    yield f"Equal: {', '.join(equal) or 'none'}.\n"
    refused = [f"- {pair.model}: unavailable: {_clear(pair.unavailable)}" for pair in pairs if pair.unavailable]
    rows = [
        row(found, pair, _cut_off(report, pair))
        for pair, report in last.values()
        for found in report.findings_of(pair.model, engine)
    ]
    yield from [*refused, ""] if refused else ()
    if rows:
        yield "| model | cause | status | cases | shortest text |"
        yield "|---|---|---|---|---|"
        yield from [*rows, ""]


def _clear(words: str) -> str:
    """Why it was not opened: how its words begin, and how they end."""
    words = words.partition(": it cannot open the model: ")[2] or words
    return cell(words if len(words) <= 240 else f"{words[:100]} ... {words[-130:]}")


def _cut_off(report: Report, pair: Pair) -> bool:
    """Whether there was no time to look for all causes."""
    begin = f"{pair.model}: explain was not done in full: the mismatches of {pair.engine}:"
    return any(note.startswith(begin) for note in report.notes)


def row(finding: Finding, pair: Pair, cut_off: bool) -> str:
    """One finding: of how many cases, and the shortest text."""
    character = "; ".join(trait.sentence for trait in finding.character)
    cause = " + ".join(finding.quirks) or character or finding.smallest.kind
    status = f"{finding.status}: {finding.why_unexplained}" if finding.why_unexplained else finding.status
    status = "not looked for: time was up" if cut_off and not finding.quirks else status
    text = finding.smallest.case.question.literal
    text = (text if len(text) <= 60 else f"{text[:60]}...").replace("`", "'").replace("|", "\\|")
    return f"| {finding.model} | {cell(cause)} | {cell(status)} | {finding.mismatches} of {pair.compared} | `{text}` |"


if __name__ == "__main__":
    main(sys.argv[1:])
