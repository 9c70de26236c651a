"""What `run` and `check` have in common: their options, the run, the files of the report."""

from __future__ import annotations

import argparse
import signal
import sys
import threading
import time
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

from tokparity import __version__
from tokparity.cli import arguments
from tokparity.cli.arguments import Named
from tokparity.cli.pulling import pull_missing
from tokparity.errors import EngineError, TokparityError, UsageError

if TYPE_CHECKING:
    from rich.console import Console

    from tokparity.report import Header, Report, ReportWriter
    from tokparity.run import Clock, Options, RunResult

FORMATS = ("html", "csv", "markdown")
"""What is written into a report's directory beside report.jsonl."""


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


def run(args: argparse.Namespace) -> tuple[RunResult, Report]:
    """Run what the arguments say, print the matrix, write all files; EngineError if a named engine could not be run."""
    from rich.console import Console

    from tokparity.report import ReportWriter, read
    from tokparity.run import Clock

    options = _options(args)
    named = _models(args)
    out = args.out or Path("reports") / time.strftime("%Y-%m-%d-%H%M%S")
    _make(out)
    pull_missing([name.model for name in named])
    path = out / "report.jsonl"
    writer = ReportWriter(path, header(named, options))
    clock = Clock(None if options.seconds is None else time.monotonic() + options.seconds)
    result = _run(named, options, writer, clock, Console(stderr=True))
    report = read(path)
    _show(report, out)
    lost = [pair for pair in result.pairs if pair.unavailable and pair.engine in args.engine]
    if lost:
        raise EngineError(f"engine {lost[0].engine!r} could not be run on {lost[0].model!r}: {lost[0].unavailable}")
    return result, report


def _options(args: argparse.Namespace) -> Options:
    """The options, with every name in them checked before anything is started."""
    from tokparity import corpus
    from tokparity.run import CASES, Options

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


def _make(out: Path) -> None:
    try:
        out.mkdir(parents=True, exist_ok=True)
        (out / "report.jsonl").open("ab").close()
    except OSError as error:
        raise UsageError(f"cannot write to --out {str(out)!r}: {error.strerror}", "choose another directory") from error


def header(named: Sequence[Named], options: Options) -> Header:
    """What the report says first."""
    from tokparity.models.cache import sha256
    from tokparity.report import Header

    return Header(
        tokparity=__version__,
        unicode=unicodedata.unidata_version,
        engines=_versions(options.engines),
        models={
            name.model.name: {path.name: sha256(path) for path in name.model.sources.values() if path.is_file()}
            for name in named
        },
        seed=options.seed,
        command=("tokparity", *sys.argv[1:]),
        started=time.strftime("%Y-%m-%dT%H:%M:%S%z"),
        arguments={name.model.name: name.words for name in named},
    )


def _versions(names: Sequence[str]) -> dict[str, str]:
    from tokparity import engines

    versions = {}
    for name in names or engines.names():
        try:
            versions[name] = engines.get(name).version()
        except TokparityError:
            versions[name] = ""  # its pairs say why
    return versions


def _run(named: Sequence[Named], options: Options, writer: ReportWriter, clock: Clock, console: Console) -> RunResult:
    from tokparity.batches import count_cases
    from tokparity.cli.progress import ProgressBars, ProgressLines
    from tokparity.run import run as run_models

    bars = console.is_terminal
    listener = ProgressBars(console, count_cases(options.corpora, options.cases)) if bars else ProgressLines(console)
    with listener, _ended_by_signals(clock):
        return run_models([name.model for name in named], options, writer, listener, clock)


@contextmanager
def _ended_by_signals(clock: Clock) -> Iterator[None]:
    """Ctrl-C and SIGTERM end the run cleanly, with a report; a second one ends the process."""

    def end(number: int, frame: FrameType | None) -> None:
        clock.stop.set()
        for name in (signal.SIGINT, signal.SIGTERM):
            signal.signal(name, before[name])

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {name: signal.signal(name, end) for name in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for name, handler in before.items():
            signal.signal(name, handler)


def _show(report: Report, out: Path) -> None:
    """Print the matrix and the examples, write the other files."""
    from rich.console import Console

    from tokparity import render
    from tokparity.render.text import parts

    for name in FORMATS:
        renderer = render.modules()[name]
        render.render(name, report, out if len(renderer.FILES) > 1 else out / renderer.FILES[0])
    tty = sys.stdout.isatty()
    console = Console(highlight=False) if tty else Console(highlight=False, width=200)
    for part in parts(report):
        console.print(part, soft_wrap=not tty and not hasattr(part, "columns"))
    console.print(f"\n{out}/index.html  report.md  mismatches.csv  findings.csv  report.jsonl", markup=False)
