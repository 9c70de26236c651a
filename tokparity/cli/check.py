"""`tokparity check`: a run whose exit code says whether something is new, wrong or gone."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from tokparity.cli import options as declared
from tokparity.cli import running
from tokparity.cli.ci_files import demand_places, told_to_ci, write_ci_files
from tokparity.cli.console import complain, say
from tokparity.errors import UsageError
from tokparity.session import CASES, SAMPLED

if TYPE_CHECKING:
    from tokparity.report.model import Report

HELP = "Keep it right: compare models on all engines, and fail on new differences"
SECTION = "Three questions"
EXAMPLES = (
    "tokparity check small-spm",
    "tokparity check model.gguf --against tokenizer.json",
    "tokparity check --gguf model.gguf --tokenizer-json tokenizer.json",
    "tokparity check small-spm --quick",
    "tokparity check --update",
    "tokparity check --junit junit.xml --sarif tokparity.sarif --annotations github",
)
EXIT_1 = "there are new findings, or accepted findings that no longer occur"
_CI = "for continuous integration, written whatever comes of it"


def parameters() -> list[click.Parameter]:
    """Declare the arguments of `tokparity check`."""
    return [
        *running.parameters(SAMPLED),
        declared.against(),
        declared.Option(
            "--quick",
            is_flag=True,
            help="put the probe set alone: about 700 texts that show every known fault, in seconds",
        ),
        declared.Option(
            "--update",
            is_flag=True,
            help="write new findings into tokparity.toml, remove those that no longer occur, and show the change",
        ),
        declared.Option("--junit", type=declared.path(), metavar="FILE", title=_CI, help="JUnit XML"),
        declared.Option("--sarif", type=declared.path(), metavar="FILE", title=_CI, help="SARIF, for code scanning"),
        declared.Option(
            "--summary",
            type=declared.path(),
            metavar="FILE",
            title=_CI,
            help='Markdown, appended to FILE: "$GITHUB_STEP_SUMMARY"',
        ),
        declared.Option(
            "--annotations",
            type=click.Choice(["github"]),
            title=_CI,
            help="print findings as lines that GitHub shows beside the files",
        ),
    ]


def main(args: argparse.Namespace) -> int:
    """Run, then print the verdict; return its exit code, or 0 if the list of accepted findings was updated."""
    from tokparity.cli.updating import updatable, update
    from tokparity.models import repository
    from tokparity.report.verdict import verdict

    demand_places(args)
    with told_to_ci(args):
        _demand_quick(args)
        done = running.run(args, updatable if args.update else lambda named: None)
    for told in _new_and_vanished(done.report):
        say(told)
    if unseen := _not_looked_at(done):
        say(f"not checked, because their engine did not run: {', '.join(unseen)}")
    if not args.words and all(name.own is None and name.model.pinned for name in done.named):
        say(
            f"This directory has no {repository.NAME}, so the models that come with tokparity were checked, not yours. "
            "To check your own: tokparity init FILE"
        )
    found = verdict(done.report)
    try:
        write_ci_files(done.report, args)
    finally:
        say(found.sentence)
        if args.quick:
            say(_of_a_quick_run(done, args))
    if done.signal:
        if args.update:
            again = "let `tokparity check --update` run to its end"
            complain(f"{repository.NAME} was not updated: the run was interrupted; {again}")
        return running.interrupted(done.signal)
    if args.update:
        update(done)
        return 0
    done.demand_all()
    return found.exit_code


def _new_and_vanished(report: Report) -> Iterator[str]:
    """What is new, and what did not occur, a line each."""
    from tokparity.report.render.causes import title
    from tokparity.report.render.text import cases

    for fault in report.faults:
        if not (fault.reason or fault.unsaid):
            yield f"new finding: {fault.model}: {fault.sentence}"
    for finding in report.findings:
        if finding.is_new and not finding.is_of_file:
            part = "in part: " if finding.status == "in part" else ""
            told = f"{part}{title(finding)}"
            yield f"new finding: {finding.model} / {finding.engine}: {finding.name} ({cases(finding)}): {told}"
    for vanished in report.vanished:
        where = f"{vanished.model} / {vanished.engine}" if vanished.engine else vanished.model
        yield f"vanished finding: {where}: {vanished.what} ({vanished.reason})"


def _of_a_quick_run(done: running.Finished, args: argparse.Namespace) -> str:
    """How many texts were put, and what a full check adds."""
    from tokparity.session.seats import left_out

    put = sum(one.texts for one in done.report.puts)
    more = f"the corpora and {CASES:,} random texts a model, and tests known causes on new texts"
    others = sorted({name for one in done.named for name in left_out(one.model)})
    unasked = f" It also runs {', '.join(others)}." if others and not args.engine else ""
    return f"This was quick: {put:,} texts and rows of ids. A full check adds {more}.{unasked}"


def _demand_quick(args: argparse.Namespace) -> None:
    """Raise UsageError where --quick stands beside an option that asks for more texts, or rewrites the list."""
    asked = {"--cases": args.cases is not None, "--corpus": args.corpus, "--seconds": args.seconds is not None}
    beside = [name for name, given in {**asked, "--update": args.update}.items() if given]
    if args.quick and beside:
        raise UsageError(
            f"--quick runs only the probe texts, so it cannot be used with {beside[0]}", "leave one of them out"
        )


def _not_looked_at(done: running.Finished) -> list[str]:
    """The entries of the users' lists that nobody can say to occur or not, because their engine was not run."""
    ran = {(pair.model, pair.engine) for pair in done.report.pairs if not pair.unavailable}
    told = []
    for name in done.named:
        if name.own is None or name.model.name not in done.report.models():
            continue
        lines: dict[str, list[str]] = {}
        for index, entry in enumerate(name.model.accepted):
            if entry.engine and (name.model.name, entry.engine) not in ran:
                line = name.own.accepted_line(name.model.name, index)
                lines.setdefault(entry.engine, []).append(str(line))
        place = f"{name.own.path}: {name.model.name}"
        told += [
            f"{place} / {engine} ({'line' if len(at) == 1 else 'lines'} {', '.join(at)})"
            for engine, at in lines.items()
        ]
    return told
