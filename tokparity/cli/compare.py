"""`tokparity compare`: what changed from one engine, or one report, to another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tokparity.cli import exit_codes, options, running
from tokparity.cli.arguments import Arguments, Named
from tokparity.cli.console import complain, say, shown
from tokparity.cli.heading import header
from tokparity.cli.outcomes import told
from tokparity.cli.pulling import pull_missing
from tokparity.cli.report_files import FILES, directory, write
from tokparity.errors import EngineError, UsageError
from tokparity.report.rule import count

if TYPE_CHECKING:
    from tokparity.report.changes import Change
    from tokparity.report.model import Pair, Report

HELP = "Compare two versions of an engine, or two reports: what is new, gone or changed"
SECTION = "Find differences"
EXAMPLES = (
    "tokparity compare tokenizers@0.19.1 tokenizers@0.21.0 gpt-2",
    "tokparity compare old/report.jsonl new/report.jsonl",
)
EXIT_1 = "a difference is new, gone or changed"
_REPORT = "report.jsonl"
_SAME = "a recording answers what it was made with: give the same --corpus, --cases and --seed"


def parameters() -> list[click.Parameter]:
    """Declare what compare takes."""
    own = [parameter for parameter in running.parameters() if parameter.name not in ("words", "engine", "keep")]
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
    paths = _report_at(old), _report_at(new)
    if paths[0] and paths[1]:
        return _reports((old, new), (paths[0], paths[1]))
    return engines_compared(args, old, new)


def _report_at(word: str) -> Path | None:
    """The report that a word names: a file, or a folder that `run` wrote."""
    path = Path(word) / _REPORT if Path(word).is_dir() else Path(word)
    return path if path.is_file() and path.suffix == ".jsonl" else None


def _reports(names: tuple[str, str], paths: tuple[Path, Path]) -> int:
    """Print what changed from one report to another, and what cannot be said; 3 where that leaves no verdict."""
    from tokparity.report.changes import between_reports, lines_of
    from tokparity.report.file import read

    before, after = map(read, paths)
    asked = lines_of(before), lines_of(after)
    if not {*asked[0]} & {*asked[1]}:
        raise EngineError(
            f"nothing was compared: {names[0]!r} and {names[1]!r} have no engine on a model in common",
            "compare two reports of the same models and engines",
        )
    code = _told(*names, list(between_reports(before, after)), "nothing of it is in this report")
    doubts = []
    for name, its, other in zip(names, asked, reversed(asked), strict=True):
        missing = [f"{engine} on {model}" for model, engine in other if (model, engine) not in its]
        doubts += [f"{name} has no answers of {', '.join(missing)}, so nothing is told of that"] if missing else []
    if not after.is_whole:
        doubts.append(f"{names[1]} ended early, so nothing that it does not tell of is taken for gone")
    for doubt in doubts:
        complain(doubt)
    return code or (exit_codes.NO_VERDICT if doubts else 0)


def engines_compared(args: Arguments, old: str, new: str, recorded: bool = False) -> int:
    """The newer engine before the older one, which is right by definition; `recorded`: first on all that it holds."""
    from tokparity import engines
    from tokparity.report.file import ReportWriter, read
    from tokparity.session.drift import changes

    if old == new:
        raise UsageError(f"{old!r} cannot be compared with itself", "name two versions")
    for name in (old, new):
        engines.get(name).version()  # what cannot be had is told before anything is run
    args.engine = [new]
    # What the older one has no answer to nobody can say to have changed.
    asked = replace(running.options_of(args), second=old, recorded=recorded)
    asked = replace(asked, corpora=asked.corpora or None) if recorded else asked
    named = running.models_of(args)
    out = directory(args.out)
    pull_missing([name.model for name in named])
    judged = [Named(replace(name.model, oracle=old, accepted=(), engines=None), name.words) for name in named]
    writer = ReportWriter(out / _REPORT, header(judged, (old, new), args.seed, args.command))
    result, signal = running.run_all(judged, asked, writer)
    report = read(out / _REPORT)
    write(report, out)
    for model, error in result.lost.items():
        raise type(error)(f"{model} could not be run: {error.message}", error.hint)
    _check_ran(report, (old, new))
    for pair in report.pairs:
        if pair.engine == new:
            _count(report, pair)
    unrecorded = [pair for pair in report.pairs if pair.unrecorded]
    changed = [change for name in judged for change in changes(report, name.model, old)]
    say(f"{out}/{FILES}")
    code = _told(old, new, changed)
    if unrecorded:
        complain(f"no verdict: not all of it was recorded; {_SAME}")
        code = code or exit_codes.NO_VERDICT
    return running.interrupted(signal) if signal else code


def _count(report: Report, pair: Pair) -> None:
    """How much of a model was compared, and why not all."""
    asked = sum(1 for note in report.notes if note.startswith(f"{pair.model}: put "))
    differ = f"{pair.found} differ" if pair.found else "all are equal"
    say(f"{pair.model}: {count(pair.compared, 'case')} compared, {differ}{'; time was up' if asked else ''}")
    unasked: dict[int, list[str]] = {}
    for other in (other for other in report.pairs if other.model == pair.model):
        if other.unrecorded:
            file, are = other.engine.partition(":")[2], "is" if other.unrecorded == 1 else "are"
            whether = "whether it changed" if other.unrecorded == 1 else "whether they changed"
            say(f"  {count(other.unrecorded, 'case')} {are} not in {file!r}, so nobody knows {whether}")
        if other.unsupported > other.unrecorded:
            unasked.setdefault(other.unsupported - other.unrecorded, []).append(other.engine)
        if other.is_oracle and other.failures:
            say(f"  {count(other.failures, 'case')} could not be compared: {other.engine} failed, and gave no ids")
    for cases, engines in unasked.items():
        say(f"  {count(cases, 'case')} could not be put to {' and '.join(engines)}: text that is no UTF-8, say")


def _check_ran(report: Report, names: Sequence[str]) -> None:
    lost = [pair for pair in report.pairs if pair.unavailable and pair.engine in names]
    if lost:
        raise EngineError(f"engine {lost[0].engine!r} could not be run on {lost[0].model!r}: {lost[0].unavailable}")
    for model in report.models():
        if not any(pair.compared for pair in report.pairs if pair.model == model and pair.engine == names[1]):
            raise EngineError(
                f"nothing was compared on {model!r}: there is no question that both could be asked",
                _SAME,
            )


def _told(old: str, new: str, changes: Sequence[Change], unknown: str = "not known") -> int:
    """Print all changes and their number; `unknown` is said where nobody knows what was given."""
    from tokparity.report.render.causes import title

    for change in changes:
        finding = change.finding
        cause = " + ".join(finding.quirks) or finding.smallest.kind
        head = f"{change.fate:8}{finding.model}: {cause} ({finding.status}, {finding.cases})"
        say(shown(f"{head}  {finding.smallest.case.question.literal}"[:400]))
        for name, outcome in ((old, change.old), (new, change.new)):
            say(shown(f"        {name}: {told(outcome, unknown)}"))
        if finding.quirks:
            say(shown(f"        {finding.engine}: {title(finding)}"))
        for others in finding.alternatives:
            say(shown(f"        or {' + '.join(others)}, which these texts do not tell apart"))
    counts = ", ".join(
        f"{sum(change.fate == fate for change in changes)} {fate}" for fate in ("new", "gone", "changed")
    )
    say(f"{old} -> {new}: {counts}")
    return exit_codes.DIFFERENT if changes else 0
