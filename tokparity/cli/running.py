"""What `run` and `check` have in common: their options, the run, the files of the report."""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tokparity.cli import arguments, completion
from tokparity.cli import options as declared
from tokparity.cli.arguments import Named
from tokparity.cli.heading import header
from tokparity.cli.pulling import pull_missing
from tokparity.cli.report_files import make_directory, show
from tokparity.cli.signals import ended_by_signals
from tokparity.errors import EngineError, UsageError
from tokparity.report.model import FileFault
from tokparity.session import CASES

if TYPE_CHECKING:
    from tokparity.report.file import ReportWriter
    from tokparity.report.model import Report
    from tokparity.session.run import Options, RunResult


def parameters() -> list[click.Parameter]:
    """Declare the options of run and check."""
    return [
        declared.models("known models, files, directories, hf:NAME; none: all known models"),
        *declared.engines(),
        declared.Option(
            "--corpus",
            multiple=True,
            metavar="C",
            help="a corpus or a file (again for more); none: all",
            shell_complete=completion.corpora,
        ),
        declared.Option("--seconds", callback=declared.seconds, metavar="N", help="end after about so many seconds"),
        declared.Option(
            "--cases",
            callback=declared.count,
            metavar="N",
            help=f"random texts per model, beside those of the corpora (default: {CASES})",
        ),
        declared.Option(
            "--seed",
            callback=declared.whole,
            default=0,
            metavar="S",
            help="of the random texts",
        ),
        declared.Option(
            "--out", type=declared.path(), metavar="DIR", help="where the report goes (default: reports/<date-time>)"
        ),
        declared.Option("--jobs", callback=declared.whole, default=1, metavar="N", help="models at a time"),
        declared.Option("-v", "--verbose", is_flag=True, help="also show what is known and accepted"),
        *declared.model_files(),
    ]


def run(args: argparse.Namespace) -> tuple[Report, int]:
    """Run what the arguments say, print the verdict, write all files; the report, and the signal that ended the run.

    EngineError if a named engine could not be run.
    """
    from tokparity.report.file import ReportWriter, read

    options = options_of(args)
    named = models_of(args)
    out = args.out or Path("reports") / time.strftime("%Y-%m-%d-%H%M%S")
    make_directory(out)
    pull_missing([name.model for name in named])
    path = out / "report.jsonl"
    writer = ReportWriter(path, header(named, options.engines, options.seed, args.command))
    for fault in file_faults(named):
        writer.fault(fault)
    result, signal = run_all(named, options, writer)
    report = read(path)
    show(report, out, args.verbose)
    for model, error in result.lost.items():
        raise type(error)(f"{model} could not be run: {error.message}", error.hint)
    lost = [pair for pair in result.pairs if pair.unavailable and pair.engine in args.engine]
    if lost:
        raise EngineError(f"engine {lost[0].engine!r} could not be run on {lost[0].model!r}: {lost[0].unavailable}")
    return report, signal


def file_faults(named: Sequence[Named]) -> Iterator[FileFault]:
    """The keys of the user's GGUF files that do not say what another file of the same model says."""
    from tokparity import models
    from tokparity.doctor import changes
    from tokparity.errors import CannotExpressError

    for model in (name.model for name in named):
        if model.pinned or "gguf" not in model.sources or models.primary_format(model) == "gguf":
            continue
        source, path = models.primary_source(model), model.sources["gguf"]
        try:
            found = changes(path, source)
        except CannotExpressError:
            continue  # no GGUF can say all that the source says; what texts show of it is found by the engines
        for change in found:
            yield FileFault(model.name, str(path), str(source.path), change.key, *change.shown)


def options_of(args: argparse.Namespace) -> Options:
    """The options, with every name in them checked before anything is started."""
    from tokparity.session.run import Options
    from tokparity.sources import corpus

    arguments.check_engines(args.engine)
    for name in args.corpus:
        corpus.load(name)
    if args.jobs < 1:
        raise UsageError(f"--jobs {args.jobs} runs nothing", "give 1 or more")
    return Options(
        engines=tuple(dict.fromkeys(args.engine)),
        corpora=tuple(dict.fromkeys(args.corpus)),
        cases=CASES if args.cases is None else args.cases,
        seconds=args.seconds,
        seed=args.seed,
        jobs=args.jobs,
    )


def models_of(args: argparse.Namespace) -> list[Named]:
    """The models, each once; those that the user gave as files are read now, so that a bad one is told at once."""
    from tokparity import models

    named = [arguments.named_model(word) for word in dict.fromkeys(args.words)]
    files = arguments.from_files(args)
    named += [files] if files else []
    if not named:
        return [arguments.named_model(name) for name in models.names()]
    seen: set[str] = set()
    for name in named:
        if name.model.name in seen:
            raise UsageError(f"two models are called {name.model.name!r}", "run them one after the other")
        seen.add(name.model.name)
        if not name.model.pulled:
            models.primary_source(name.model)
    return named


def run_all(named: Sequence[Named], options: Options, writer: ReportWriter) -> tuple[RunResult, int]:
    from rich.console import Console

    from tokparity.cli.progress import listener
    from tokparity.session.run import run as run_models

    with listener(Console(stderr=True)) as listening, ended_by_signals() as stop:
        result = run_models([name.model for name in named], options, writer, listening, stop)
    return result, stop.signal


def interrupted(signal: int) -> int:
    """What a shell gives for a program that a signal ended."""
    return 128 + signal
