"""The report as Markdown: to read in a terminal, a pull request or an issue."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tokparity.finding import Finding, Mismatch
from tokparity.questions.shell import command_line
from tokparity.report import oracles, votes
from tokparity.report.model import Pair, Report
from tokparity.report.render import again
from tokparity.report.render.analysis import analysis
from tokparity.report.render.causes import told
from tokparity.report.render.command import reproduce
from tokparity.report.render.inert import write_inert
from tokparity.report.render.markup import cell, code, coded, indented
from tokparity.report.render.scores import about, counts, legend, share, unavailable
from tokparity.report.render.visible import spelled
from tokparity.report.render.window import answers
from tokparity.report.verdict import verdict

NAME = "markdown"
FILES = ("report.md",)
_TEXT_BYTES = 400
_IDS = 40
_ENDED = {"complete": "complete", "time": "ended by its time limit", "interrupted": "**interrupted**"}


def render(report: Report, path: Path) -> None:
    """Write the whole report as one Markdown file."""
    write_inert(path, "\n".join(_lines(report)) + "\n")


def _lines(report: Report) -> Iterator[str]:
    yield from _summary(report)
    yield from matrix(report)
    yield from _again(report)
    if report.findings:
        yield from ("## Findings", "")
    for finding in report.findings:
        explained = finding.quirks or finding.why_unexplained
        yield from analysis(report, finding, level=3) if explained else _finding(report, finding)
    yield from _environments(report)


def _summary(report: Report) -> Iterator[str]:
    header, footer, found = report.header, report.footer, verdict(report)
    yield from ("# tokparity report", "", f"**{coded(found.sentence, found.command)}**", "")
    yield from (f"- {cell(sentence)}" for sentence in oracles.sentences(report))
    ended = "**truncated: the run did not end by itself**"
    if footer is not None:
        ended = f"{_ENDED[footer.ended]} after {footer.seconds:.1f} s"
    yield f"- Started {header.started}, {ended}"
    yield f"- Command: {code(command_line(header.command))}, seed {header.seed}"
    versions = ", ".join(f"{cell(name)} {cell(version)}".strip() for name, version in report.versions().items())
    yield f"- tokparity {header.tokparity}, Unicode {header.unicode}; {versions}"
    yield from (f"- Note: {cell(str(note))}" for note in (*report.refused, *report.notes))
    yield ""


def matrix(report: Report) -> Iterator[str]:
    """Return a table of models by engines, and the reasons why engines were not run."""
    engines = report.engines()
    pairs = {(pair.model, pair.engine): pair for pair in report.pairs}
    yield from (
        "## Matrix",
        "",
        f"{about(report)} \\*: the oracle.".lstrip(),
        "",
    )
    yield "| model | " + " | ".join(map(cell, engines)) + " |"
    yield "|---|" + "---|" * len(engines)
    for model in report.models():
        yield f"| {cell(model)} | " + " | ".join(_score(pairs.get((model, engine))) for engine in engines) + " |"
    yield ""
    yield from (f"- {cell(sentence)}" for sentence in (*legend(report), *unavailable(report)))
    yield ""


def _again(report: Report) -> Iterator[str]:
    """What came back of texts that were encoded again; nothing where none were."""
    rows = again.rows(report)
    if not rows:
        return
    yield from (f"## {again.TITLE}", "", again.ABOUT, "")
    for row in (again.COLUMNS, ["---:" if i in again.NUMBERS else "---" for i in range(len(again.COLUMNS))], *rows):
        yield "| " + " | ".join(map(cell, row)) + " |"
    yield ""


def _score(pair: Pair | None) -> str:
    if pair is None:
        return ""
    if pair.unavailable and not pair.compared:
        return "unavailable"
    return ", ".join((share(pair) + ("\\*" if pair.engine == pair.oracle else ""), *counts(pair)))


def _finding(report: Report, finding: Finding) -> Iterator[str]:
    yield from (f"### {cell(finding.model)}: {cell(finding.name)}", "")
    sides = f"{cell(finding.engine)} against {cell(finding.oracle)}"
    yield f"{finding.status}, {finding.cases}; {sides}."
    if finding.nearest:
        yield f"Nearest: {cell(finding.nearest)}."
    if said := votes.told(finding):
        yield f"{cell(said)}."
    yield from (f"- {cell(sentence)}" for sentence in told(finding))
    yield ""
    yield from _mismatch(report, finding.smallest)


def _mismatch(report: Report, mismatch: Mismatch) -> Iterator[str]:
    yield f"Smallest text ({code(str(mismatch.case.origin))}), first difference {cell(mismatch.difference.words)}:"
    yield from ("", *indented(spelled(mismatch.case.question, _TEXT_BYTES)), "")
    names = (mismatch.oracle, mismatch.engine)
    width = max(map(len, names))
    for name, lines in zip(names, answers(mismatch, _IDS, _TEXT_BYTES), strict=True):
        for i, line in enumerate(lines):
            yield from indented(f"{'' if i else name:>{width}}  {line}")
    yield from ("", *indented(reproduce(report, mismatch)), "")


def _environments(report: Report) -> Iterator[str]:
    """What was installed where engines have an environment of their own, with the files' hashes."""
    if report.header.environments:
        yield from ("## Environments", "")
    for engine, lines in report.header.environments.items():
        yield from (f"### {cell(engine)}", "", *(f"- {cell(line)}" for line in lines), "")
