"""What `run` and `check` have in common: their options, the run, the files of the report."""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tokparity.cli import arguments
from tokparity.cli.arguments import Named
from tokparity.cli.heading import header
from tokparity.cli.pulling import pull_missing
from tokparity.cli.report_files import make_directory, show
from tokparity.cli.signals import ended_by_signals
from tokparity.errors import EngineError, UsageError
from tokparity.report.model import FileFault

if TYPE_CHECKING:
    from tokparity.report.file import ReportWriter
    from tokparity.report.model import Report
    from tokparity.session.run import Options, RunResult


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of run and check."""
    arguments.add_words(parser, "MODEL", "known models, files, directories or hub ids; none: all known models")
    arguments.add_engines(parser)
    parser.add_argument(
        "--corpus", action="append", default=[], metavar="C", help="a corpus or a file (again for more)"
    )
    parser.add_argument("--seconds", type=positive, metavar="N", help="end after about so many seconds")
    parser.add_argument("--cases", type=count, metavar="N", help="random texts per model")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="of the random texts")
    parser.add_argument("--out", type=Path, metavar="DIR", help="where the report goes (default: reports/<date-time>)")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="models at a time")
    parser.add_argument("-v", "--verbose", action="store_true", help="also show what is known and accepted")
    arguments.add_model_files(parser)


def positive(word: str) -> float:
    """A number of seconds above zero."""
    value = float(word)
    if not 0 < value < 1e9:
        raise argparse.ArgumentTypeError(f"{word!r} is no number of seconds above 0")
    return value


def count(word: str) -> int:
    """A whole number, zero or more."""
    value = int(word)
    if value < 0:
        raise argparse.ArgumentTypeError(f"{word!r} is below 0")
    return value


def run(args: argparse.Namespace) -> tuple[Report, int]:
    """Run what the arguments say, print the verdict, write all files; the report, and the signal that ended the run.

    EngineError if a named engine could not be run.
    """
    from tokparity.report.file import ReportWriter, read

    options = _options(args)
    named = _models(args)
    out = args.out or Path("reports") / time.strftime("%Y-%m-%d-%H%M%S")
    make_directory(out)
    pull_missing([name.model for name in named])
    path = out / "report.jsonl"
    writer = ReportWriter(path, header(named, options.engines, options.seed, args.command))
    for fault in file_faults(named):
        writer.fault(fault)
    result, signal = _run(named, options, writer)
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


def _options(args: argparse.Namespace) -> Options:
    """The options, with every name in them checked before anything is started."""
    from tokparity.session.run import CASES, Options
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


def _models(args: argparse.Namespace) -> list[Named]:
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


def _run(named: Sequence[Named], options: Options, writer: ReportWriter) -> tuple[RunResult, int]:
    from rich.console import Console

    from tokparity.cli.progress import listener
    from tokparity.session.run import run as run_models

    with listener(Console(stderr=True)) as listening, ended_by_signals() as stop:
        result = run_models([name.model for name in named], options, writer, listening, stop)
    return result, stop.signal


def interrupted(signal: int) -> int:
    """What a shell gives for a program that a signal ended."""
    return 128 + signal
