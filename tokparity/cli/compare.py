"""`tokparity compare`: what changed from one engine, or one report, to another."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tokparity.cli import options, running
from tokparity.cli.arguments import Arguments, Named
from tokparity.cli.asking import opened
from tokparity.cli.console import say, shown
from tokparity.cli.heading import header
from tokparity.cli.pulling import pull_missing
from tokparity.cli.report_files import make_directory, show
from tokparity.errors import EngineError, UsageError

if TYPE_CHECKING:
    from tokparity.finding import Finding
    from tokparity.outcome import Outcome
    from tokparity.report.changes import Change
    from tokparity.report.model import Report

HELP = "Did the upgrade change my ids? Two versions of an engine, or two reports: what is new, gone, changed"
SECTION = "Find differences"
EXAMPLES = (
    "tokparity compare tokenizers@0.19.1 tokenizers@0.21.0 gpt-2",
    "tokparity compare old/report.jsonl new/report.jsonl",
)
EXIT_1 = "something is new, gone or changed"
CHANGED = 1
_REPORT = "report.jsonl"
_SHOWN = 60  # ids or bytes of an outcome


def parameters() -> list[click.Parameter]:
    """Declare what compare takes."""
    own = [parameter for parameter in running.parameters() if parameter.name not in ("words", "engine")]
    return [
        options.Words(
            "A B [MODEL]...", "two engines, the older one first, and models (none: all known); or two reports"
        ),
        *own,
    ]


def main(args: Arguments) -> int:
    """Print each change; 1 where there is one."""
    if len(args.words) < 2:
        raise UsageError(f"nothing to compare with {' '.join(args.words)!r}", "name two engines, or two reports")
    old, new, *args.words = args.words
    paths = [_report_at(word) for word in (old, new)]
    if paths[0] and paths[1]:
        return _told(old, new, list(_of_reports(paths[0], paths[1])))
    return _engines(args, old, new)


def _report_at(word: str) -> Path | None:
    """The report that a word names: a file, or a folder that `run` wrote."""
    path = Path(word) / _REPORT if Path(word).is_dir() else Path(word)
    return path if path.is_file() and path.suffix == ".jsonl" else None


def _of_reports(old: Path, new: Path) -> Iterator[Change]:
    from tokparity.report.changes import between_reports
    from tokparity.report.file import read

    return between_reports(read(old), read(new))


def _engines(args: Arguments, old: str, new: str) -> int:
    """The newer engine before the older one, which is right by definition."""
    from tokparity import engines
    from tokparity.report.file import ReportWriter, read

    if old == new:
        raise UsageError(f"{old!r} cannot be compared with itself", "name two versions")
    for name in (old, new):
        engines.get(name).version()  # what cannot be had is told before anything is run
    args.engine = [new]
    asked = running.options_of(args)
    named = running.models_of(args)
    out = args.out or Path("reports") / time.strftime("%Y-%m-%d-%H%M%S")
    make_directory(out)
    pull_missing([name.model for name in named])
    judged = [Named(replace(name.model, oracle=old, accepted=(), engines=None), name.words) for name in named]
    writer = ReportWriter(out / _REPORT, header(judged, (old, new), args.seed, args.command))
    result, signal = running.run_all(judged, asked, writer)
    report = read(out / _REPORT)
    show(report, out, args.verbose)
    for model, error in result.lost.items():
        raise type(error)(f"{model} could not be run: {error.message}", error.hint)
    _check_ran(report, (old, new))
    code = _told(old, new, list(_changes(report, named)))
    return running.interrupted(signal) if signal else code


def _check_ran(report: Report, names: Sequence[str]) -> None:
    lost = [pair for pair in report.pairs if pair.unavailable and pair.engine in names]
    if lost:
        raise EngineError(f"engine {lost[0].engine!r} could not be run on {lost[0].model!r}: {lost[0].unavailable}")


def _changes(report: Report, named: Sequence[Named]) -> Iterator[Change]:
    """Each finding, with the reference as the one that says who was right."""
    from tokparity.report.changes import of_engines

    for name in named:
        findings = [finding for finding in report.findings if finding.model == name.model.name]
        if findings:
            for finding, right in zip(findings, _right(name, findings), strict=True):
                yield of_engines(finding, right)


def _right(named: Named, findings: Sequence[Finding]) -> list[Outcome | None]:
    """What the reference gives for the smallest text of each finding."""
    from tokparity.session.panel import submit

    with opened(named, "reference") as client:
        return [client.take(submit(client, [finding.smallest.case])).outcome(0) for finding in findings]


def _told(old: str, new: str, changes: Sequence[Change]) -> int:
    """Print all changes and their number."""
    for change in changes:
        finding = change.finding
        cause = " + ".join(finding.quirks) or finding.smallest.kind
        head = f"{change.fate:8}{finding.model}: {cause} ({finding.status}, {finding.cases})"
        say(shown(f"{head}  {finding.smallest.case.question.literal}"[:400]))
        say(shown(f"        {old}: {_outcome(change.old)}"))
        say(shown(f"        {new}: {_outcome(change.new)}"))
    counts = ", ".join(
        f"{sum(change.fate == fate for change in changes)} {fate}" for fate in ("new", "gone", "changed")
    )
    say(f"{old} -> {new}: {counts}")
    return CHANGED if changes else 0


def _outcome(outcome: Outcome | None) -> str:
    """What was given, in one line."""
    from tokparity.outcome import Decoding, Encoding, Failure

    if isinstance(outcome, Failure):
        return f"{outcome.kind}: {outcome.message}"
    if isinstance(outcome, Decoding):
        return repr(outcome.decoded[:_SHOWN])
    if isinstance(outcome, Encoding):
        decoded = "" if outcome.decoded is None else f" {outcome.decoded[:_SHOWN]!r}"
        return f"{list(outcome.ids[:_SHOWN])}{decoded}"
    return "not known"
